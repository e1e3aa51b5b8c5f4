import cluster from "node:cluster";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Request, Router } from "express";
import { authRoutes, reencryptInBackground, sessionGate } from "../auth/index.js";
import { systemClock } from "../clock/index.js";
import { type Config, readConfig, readEnvironment } from "../config/index.js";
import { type Database, openDatabase } from "../db/index.js";
import { type Gate, type HttpParts, type Route, runRead } from "../http/index.js";
import { keepingMailer, openMailer } from "../mail/index.js";
import { pendingMigrations } from "../migrate/index.js";
import {
  type Caller,
  type Hooks,
  newLog,
  type Policies,
  type Services,
} from "../own-code/index.js";
import { batchRoute, type ResourceDefinition } from "../resource/index.js";
import { openUploads, type UploadFields, type Uploads } from "../uploads/index.js";
import { type App, newApp } from "./processes/app.js";
import { configOfPrimary } from "./processes/handover.js";
import { isPortWatched } from "./processes/port.js";
import { newPrimary } from "./processes/primary.js";
import { type AccountDeletion, accountRecordsOf } from "./routes/account-records.js";
import { avatarRoute } from "./routes/avatar-route.js";
import { docsRoutes } from "./routes/docs-routes.js";
import { openapiRoute } from "./routes/openapi-route.js";
import { printRoutes, routesWanted } from "./routes/route-list.js";
import { systemRoutes } from "./routes/system-routes.js";
import { byResource } from "./start/own-names.js";
import { addOwnCode } from "./start/own-services.js";
import { StartRefused, startOrExit } from "./start/start.js";
import { refuseOwners, refuseUnreachableCode } from "./start/start-checks.js";
import { testSetups } from "./start/test-setup.js";

/** What the generated `app.ts` passes in. */
export interface Generated {
  /** `import.meta.url` of `generated/app.ts`; the app's folder is above it. */
  readonly location: string;
  readonly routes: readonly Route[];
  /** What `GET /api/_service/resources` answers, in this order. */
  readonly resources: readonly object[];
  /** The fields that take files. Missing in code that an older release generated. */
  readonly uploads?: readonly UploadFields[];
  /** Every resource. Missing in code that an older release generated. */
  readonly definitions?: readonly ResourceDefinition[];
  /** What deleting an account means for records; left out where none is required to belong to one. */
  readonly accounts?: AccountDeletion;
}

/** What an app's own `server.ts` may pass in; every key is optional. */
export interface AppOptions<
  AppPolicies extends Policies = Policies,
  AppHooks extends Hooks = Hooks,
> {
  /** An Express router of the app's own, mounted under `/api` behind the same token check. */
  readonly routes?: Router;
  /** Functions by resource and action that decide last: false is 403. */
  readonly policies?: AppPolicies;
  /** Functions by resource around its writes: in the transaction before them, or after the commit. */
  readonly hooks?: AppHooks;
  /** With `auth.enabled: false`: identifies the caller of a request, null for nobody. */
  readonly authenticate?: (request: Request) => Promise<Caller | null>;
}

/**
 * Reads the configuration, opens the database and assembles the app. What must be changed before a start is
 * written to standard error, a line each, and the process exits with 1.
 */
export function createGeneratedApp<Resources>(
  generated: Generated,
  options: AppOptions,
): Promise<App<Resources>> {
  return startOrExit(async () => {
    const root = appFolder(generated.location);
    const test = testSetups.getStore();
    const wanted = test === undefined ? routesWanted(readEnvironment(root)) : null;
    const environment = wanted?.environment ?? readEnvironment(root);
    const handed = test === undefined ? await configOfPrimary(environment) : null;
    const config = (await test?.configure(root)) ?? handed ?? readConfig({ root, environment });
    const role = test !== undefined ? "test" : handed === null ? roleOf(config) : "worker";
    if (!config.auth.enabled) refuseOwners(definitionsOf(generated));
    const gate = gateOf(config, options);
    const log = newLog(config);
    const { url, poolSize, prepare, slowMs } = config.database;
    const open = () => openDatabase({ url, poolSize, prepare, slowMs, log });
    const checked = open();
    // What the primary has checked is not checked again: a worker that replaces another also starts
    // while the database is down.
    if (role !== "worker" && wanted === null) {
      for (const { message, hint } of config.warnings) log.warn({ hint }, message);
      await refusePending(checked, root, (warning) => log.warn(warning));
    }
    if (role === "primary") await checked.close();
    // A primary holds no connection, unless the app's own code needs one.
    const db = role === "primary" ? open() : checked;
    const policies = byResource("policies", options.policies ?? {}, definitionsOf(generated));
    const hooks = byResource("hooks", options.hooks ?? {}, definitionsOf(generated));
    const mailer = openMailer({ config, db, log });
    const own = addOwnCode(
      {
        config,
        db,
        clock: systemClock,
        log,
        // The mailer of a primary is never started.
        mailer: test === undefined ? mailer : keepingMailer(mailer),
      },
      { policies, hooks },
      { definitions: definitionsOf(generated), filesOf: (caller) => uploads.filesFor(caller) },
    );
    const { services } = own;
    const uploads: Uploads = openUploads(services, uploadsOf(generated));
    const parts: HttpParts = {
      services,
      routes: [
        ...systemRoutes(generated.resources, definitionsOf(generated)),
        openapiRoute(root, services),
        ...docsRoutes(config),
        ...uploads.routes,
        ...(config.auth.enabled ? accountRoutes(config.auth, generated, uploads) : []),
        batchRoute(definitionsOf(generated)),
        ...generated.routes,
      ],
      gate: gate(services),
      ownRouter: options.routes ?? null,
      localsOf: own.localsOf,
    };
    refuseUnreachableCode({ ...parts, policies, hooks, generated: generated.routes });
    if (wanted !== null) {
      printRoutes(wanted.descriptor, { ...parts, policies, hooks, generated: generated.routes });
    }
    const app = role === "primary" ? newPrimary(parts, own) : newApp(parts, own, uploads, role);
    test?.onMade({ ...own, app });
    if (role !== "primary" && config.previousSecret !== null) void reencryptInBackground(services);
    // The generated code knows the type of each resource.
    return app as App<Resources>;
  });
}

function accountRoutes(
  auth: Config["auth"],
  { accounts }: Generated,
  uploads: Uploads,
): readonly Route[] {
  const records = accountRecordsOf(accounts ?? null);
  const parts = { records, onDeleted: () => uploads.removeObjects() };
  return [...authRoutes(auth, parts), avatarRoute(uploads)];
}

function uploadsOf({ uploads }: Generated): readonly UploadFields[] {
  return uploads ?? refuseOldCode();
}

function definitionsOf({ definitions }: Generated): readonly ResourceDefinition[] {
  return definitions ?? refuseOldCode();
}

function refuseOldCode(): never {
  throw new StartRefused({
    message: "generated/ was written by an older release",
    hint: "run: npx service generate",
  });
}

/** Whether this process serves alone, or supervises others that do. */
function roleOf({ server }: Config): "alone" | "primary" {
  // `service dev` watches the one process that it starts; a process forked by another cannot fork.
  const serves = server.workers === 1 || isPortWatched() || !cluster.isPrimary;
  return serves ? "alone" : "primary";
}

/** The nearest folder above the generated code that holds a `service.yaml`. */
function appFolder(location: string): string {
  let folder = dirname(fileURLToPath(location));
  while (!existsSync(join(folder, "service.yaml"))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new StartRefused({
        message: `There is no service.yaml in or above ${dirname(fileURLToPath(location))}`,
        hint: "restore it, or make it again: npx service init <dir>",
      });
    }
    folder = parent;
  }
  return folder;
}

/** The gate of the package's accounts, or one around the app's own `authenticate`. */
function gateOf(config: Config, { authenticate }: AppOptions): (services: Services) => Gate {
  if (config.auth.enabled) return sessionGate;
  if (authenticate === undefined) {
    throw new StartRefused({
      message: "auth.enabled is false, and there is no other sign-in",
      hint: "pass your own `authenticate` to createApp in server.ts",
    });
  }
  const identify: Gate["identify"] = (request) => authenticate(request as Request);
  return ({ db }) => ({
    readsExpress: true,
    identify,
    ask: async (request, planned) => {
      const caller = await identify(request);
      return caller === null ? null : { caller, row: await runRead(db, planned) };
    },
  });
}

async function refusePending(
  db: Database,
  root: string,
  onWarning: (warning: string) => void,
): Promise<void> {
  const pending = await pendingMigrations(db, join(root, "migrations"), onWarning);
  const [first] = pending;
  if (first === undefined) return;
  const missing =
    pending.length === 1
      ? `the migration ${first.name}`
      : `${pending.length} migrations, starting with ${first.name}`;
  throw new StartRefused({
    message: `The database is missing ${missing}`,
    hint: "run: npx service migrate",
  });
}
