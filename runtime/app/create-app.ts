import cluster from "node:cluster";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Request, Router } from "express";
import { authRoutes, reencryptInBackground, sessionGate } from "../auth/index.js";
import { systemClock } from "../clock/index.js";
import { type Config, readConfig, readEnvironment } from "../config/index.js";
import { type Database, openDatabase } from "../db/index.js";
import type { Gate, HttpParts, Route, Row } from "../http/index.js";
import { openMailer } from "../mail/index.js";
import { pendingMigrations } from "../migrate/index.js";
import { type Caller, newLog, type Policies, type Services } from "../services/index.js";
import { openUploads, type UploadFields } from "../uploads/index.js";
import { type App, newApp } from "./app.js";
import { avatarRoute } from "./avatar-route.js";
import { configOfPrimary } from "./handover.js";
import { refuseUnreachableCode } from "./own-code.js";
import { isPortWatched } from "./port.js";
import { newPrimary } from "./primary.js";
import { StartRefused, startOrExit } from "./start.js";
import { systemRoutes } from "./system-routes.js";

/** What the generated `app.ts` passes in. */
export interface Generated {
  /** `import.meta.url` of `generated/app.ts`; the app's folder is above it. */
  readonly location: string;
  readonly routes: readonly Route[];
  /** What `GET /api/_service/resources` answers, in this order. */
  readonly resources: readonly object[];
  /** The fields that take files. Missing in code that an older release generated. */
  readonly uploads?: readonly UploadFields[];
}

/** What an app's own `server.ts` may pass in; every key is optional. */
export interface AppOptions<AppPolicies extends Policies = Policies> {
  /** An Express router of the app's own, mounted under `/api` behind the same token check. */
  readonly routes?: Router;
  /** Functions by resource and action that have the last word: false is 403. */
  readonly policies?: AppPolicies;
  /** With `auth.enabled: false`: identifies the caller of a request, null for nobody. */
  readonly authenticate?: (request: Request) => Promise<Caller | null>;
}

/**
 * Reads the configuration, opens the database and assembles the app. What the operator must
 * change first is written to standard error, a line each, and the process exits with 1.
 */
export function createGeneratedApp(generated: Generated, options: AppOptions): Promise<App> {
  return startOrExit(async () => {
    const root = appFolder(generated.location);
    const environment = readEnvironment(root);
    const handed = await configOfPrimary(environment);
    const config = handed ?? readConfig({ root, environment });
    const role = handed === null ? roleOf(config) : "worker";
    const gate = gateOf(config, options);
    const log = newLog(config);
    const { url, poolSize, prepare } = config.database;
    const db = openDatabase({ url, poolSize, prepare, log });
    // What the primary has checked is not checked again: a worker that replaces another also starts
    // while the database is down.
    if (role !== "worker") {
      for (const { message, hint } of config.warnings) log.warn({ hint }, message);
      await refusePending(db, root, (warning) => log.warn(warning));
    }
    if (role === "primary") await db.close();
    const services: Services = {
      config,
      db,
      clock: systemClock,
      log,
      // The mailer of a primary is never started.
      mailer: openMailer({ config, db, log }),
      policies: options.policies ?? {},
    };
    const uploads = openUploads(services, uploadsOf(generated));
    const parts: HttpParts = {
      services,
      routes: [
        ...systemRoutes(generated.resources),
        ...uploads.routes,
        ...(config.auth.enabled ? [...authRoutes(config.auth), avatarRoute(uploads)] : []),
        ...generated.routes,
      ],
      gate: gate(services),
      ownRouter: options.routes ?? null,
    };
    refuseUnreachableCode({ ...parts, ...services, generated: generated.routes });
    if (role === "primary") return newPrimary(parts);
    if (config.previousSecret !== null) void reencryptInBackground(services);
    return newApp(parts, uploads, role);
  });
}

function uploadsOf({ uploads }: Generated): readonly UploadFields[] {
  if (uploads !== undefined) return uploads;
  throw new StartRefused({
    message: "An older release made generated/",
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

/** The account room's gate, or one around the operator's own `authenticate`. */
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
    ask: async (request, { text, values, via, resource }) => {
      const caller = await identify(request);
      if (caller === null) return null;
      const access = resource === undefined ? db : db.ofResource(resource);
      const [row = {}] = await access[via]<Row>(text, values);
      return { caller, row };
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
  const count = pending.length === 1 ? "1 migration" : `${pending.length} migrations`;
  throw new StartRefused({
    message: `The database lacks ${count}, ${first.name} first`,
    hint: "run: npx service migrate",
  });
}
