import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { App, AppOptions } from "service-runtime/app";
import { generate } from "../../../generator/generate.js";
import { writePlan } from "../../../generator/output/write.js";
import { type Config, readConfig, readEnvironment } from "../../../runtime/config/index.js";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { migrate } from "../../../runtime/migrate/index.js";
import { formatProblem } from "../../../runtime/values/problem.js";
import { addAccount, newSession } from "../accounts/accounts.js";
import { createDatabase, type TestDatabase } from "../database/database.js";
import { client, hangUp } from "../http/client.js";
import { withVariables } from "../processes/environment.js";
import type { Ruled } from "../rights/model.js";
import type { RuledCaller } from "../rights/request.js";
import { makeAppFolder, removeAppFolder } from "./app-folder.js";
import { linkPackages } from "./link-packages.js";

/** A server of descriptors that a test has written, in this process, on a separate database. */
export interface WrittenApp {
  readonly root: string;
  readonly config: Config;
  readonly url: string;
  readonly app: App;
  readonly db: Database;
  readonly described: readonly Ruled[];
  /** A new account with this role. */
  caller(role: string | null): Promise<RuledCaller>;
  close(): Promise<void>;
}

/** What it is made of: the texts of files below `resources/`, and policies or a `server.ts` that exports `app`. */
export interface WrittenFiles {
  readonly descriptors: ReadonlyMap<string, string>;
  readonly options?: AppOptions;
  readonly server?: string;
  /** The texts of further files, by their paths in the app's folder. */
  readonly files?: ReadonlyMap<string, string>;
  /** Lines of `service.yaml` instead of the usual ones. */
  readonly settings?: string;
  /** Packages that `server` imports, besides the runtime. */
  readonly packages?: readonly string[];
  /** Environment variables of the server. */
  readonly variables?: Readonly<Record<string, string>>;
  /** An empty database, which is not dropped; by default a new one of the run's PostgreSQL. */
  readonly databaseUrl?: string;
  /** Parent of its folder; by default the machine's temporary files. */
  readonly parent?: string;
}

const usualSettings = "auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1 }\n";

const password = "a password of the tests";

export async function startWrittenApp(files: WrittenFiles): Promise<WrittenApp> {
  const root = makeAppFolder(files.parent);
  const { databaseUrl } = files;
  const given: TestDatabase | null = databaseUrl
    ? { url: databaseUrl, drop: async () => {} }
    : null;
  const database = given ?? (await createDatabase());
  await writeApp(root, files);
  await migrate({ url: database.url, directory: join(root, "migrations") });
  const variables = {
    DATABASE_URL: database.url,
    PORT: "0",
    SERVICE_LOG_LEVEL: "error",
    SERVICE_SECRET: "a secret of the tests, long enough",
    ...files.variables,
  };
  // Set for no longer: the processes that later tests start would inherit them, and log nothing.
  const { app, url, config } = await withVariables(variables, async () => {
    const app = await open(root, files);
    const url = await app.listen();
    return { app, url, config: readConfig({ root, environment: readEnvironment(root) }) };
  });
  const db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  const described: readonly Ruled[] = JSON.parse(
    readFileSync(join(root, "generated/descriptors.json"), "utf8"),
  );
  let accounts = 0;
  return {
    root,
    config,
    url,
    app,
    db,
    described,
    async caller(role) {
      accounts += 1;
      const email = `caller-${accounts}@example.com`;
      const id = await addAccount(db, { email, password, role, name: `Caller ${accounts}` });
      return { client: client(url, await newSession(db, id)), role, id };
    },
    async close() {
      hangUp(url);
      await app.close();
      await db.close();
      await database.drop();
      removeAppFolder(root);
    },
  };
}

/** Generates the app; throws the output of a failed `generate`. */
export async function writeApp(
  root: string,
  { descriptors, server, files = new Map(), settings = usualSettings, packages = [] }: WrittenFiles,
): Promise<void> {
  mkdirSync(join(root, "resources"));
  linkPackages(root, packages);
  writeFileSync(join(root, "package.json"), '{ "name": "written", "type": "module" }');
  writeFileSync(join(root, "service.yaml"), settings);
  if (server !== undefined) writeFileSync(join(root, "server.ts"), server);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [name, text] of descriptors) writeFileSync(join(root, "resources", name), text);
  const { problems, plan } = await generate({ root, name: null, consent: [] });
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join("\n"));
  writePlan(root, plan);
}

async function open(root: string, { options, server }: WrittenFiles): Promise<App> {
  const load = (path: string) => import(pathToFileURL(join(root, path)).href);
  if (server !== undefined) {
    const own: { readonly app: App } = await load("server.ts");
    return own.app;
  }
  const emitted: { createApp(options?: AppOptions): Promise<App> } = await load("generated/app.ts");
  return emitted.createApp(options);
}
