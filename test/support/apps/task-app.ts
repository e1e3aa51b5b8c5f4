import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { MadeApp } from "../../../runtime/app/index.js";
import { readConfig } from "../../../runtime/config/index.js";
import type { ImportRequest, Task } from "../../../runtime/data/index.js";
import type { ResourceDefinition } from "../../../runtime/resource/index.js";
import { usualFile } from "./usual-file.js";

/** An app of `fixtures/apps` that does tasks in this process, on a database that there is. */
export interface TaskApp {
  readonly definitions: readonly ResourceDefinition[];
  /** Does a task, which tells on the descriptor that it gets; resolves with the last event. */
  run<Event>(taskOf: (events: number) => Task): Promise<Event>;
  close(): Promise<void>;
}

interface GivenApp {
  /** Below `fixtures/apps`. */
  readonly name: string;
  readonly databaseUrl: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** `server.hook_seconds`, if it is another than the app's. */
  readonly hookTimeoutSeconds?: number;
  make(): Promise<unknown>;
}

export async function openTaskApp(given: GivenApp): Promise<TaskApp> {
  const made: MadeApp[] = [];
  const { testSetups, runTask } = await built();
  const environment = {
    NODE_ENV: "test",
    SERVICE_LOG_LEVEL: "silent",
    SERVICE_SECRET: "a secret of the tests, long enough",
    ...given.environment,
  };
  const { databaseUrl, hookTimeoutSeconds } = given;
  const configure = async (root: string) => {
    const config = readConfig({ root, environment, databaseUrl });
    return hookTimeoutSeconds === undefined
      ? config
      : { ...config, server: { ...config.server, hookTimeoutSeconds } };
  };
  await testSetups.run({ configure, onMade: (one) => made.push(one) }, given.make);
  const [{ app, services, after, uploads } = missing()] = made;
  const definitions = await definitionsOf(given.name);
  const folder = mkdtempSync(join(tmpdir(), "service-task-"));
  return {
    definitions,
    async run<Event>(taskOf: (events: number) => Task) {
      const path = join(folder, "events");
      const descriptor = openSync(path, "w");
      try {
        await runTask({ services, after, definitions, uploads }, taskOf(descriptor));
      } finally {
        closeSync(descriptor);
      }
      const told = readFileSync(path, "utf8").trim().split("\n");
      return JSON.parse(told.at(-1) ?? "") as Event;
    },
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function definitionsOf(name: string): Promise<readonly ResourceDefinition[]> {
  const generated = resolve(import.meta.dirname, "../../../fixtures/apps", name, "generated");
  const folders = readdirSync(generated).filter((one) =>
    existsSync(join(generated, one, "routes.ts")),
  );
  return Promise.all(
    folders.map(async (one): Promise<ResourceDefinition> => {
      const routes = await import(pathToFileURL(join(generated, one, "routes.ts")).href);
      return routes[Object.keys(routes).find((key) => key.endsWith("Definition")) ?? ""];
    }),
  );
}

/** What the app itself runs, which is bundled: this process has modules of the same names besides. */
function built(): Promise<typeof import("./in-bundle.js")> {
  return import(new URL("../../../runtime/dist/bundle/in-bundle.js", import.meta.url).href);
}

function missing(): never {
  throw new Error("No app was made");
}

/** An import without options. */
export const usualImport: Omit<ImportRequest, "resource" | "path" | "errors" | "events"> = {
  format: "csv",
  map: {},
  link: {},
  upsert: null,
  onError: "stop",
  resume: null,
  isDry: false,
  isFromSpreadsheet: false,
  ...usualFile,
  command: null,
};
