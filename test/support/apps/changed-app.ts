import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import type { EmittedFile } from "../../../generator/emit/file.js";
import { type Generated, generate } from "../../../generator/generate.js";
import { nextMigration } from "../../../generator/migration/next.js";
import { writePlan } from "../../../generator/output/write.js";
import { resolveModel } from "../../../generator/resolve/resolve.js";
import { diffSchemas } from "../../../generator/schema/changes/diff.js";
import { buildSchema } from "../../../generator/schema/tables/build.js";
import {
  MigrationError,
  type MigrationTarget,
  migrate,
  undoMigrations,
} from "../../../runtime/migrate/index.js";
import { formatProblem } from "../../../runtime/values/problem.js";
import { parseHistory } from "../../../runtime/values/schema/history/history.js";
import { emptySchema } from "../../../runtime/values/schema/schema.js";
import { catalogueOf } from "../database/catalogue.js";
import { createDatabase, type TestDatabase } from "../database/database.js";
import { borrowDatabase, type LentDatabase } from "../database/lent-database.js";
import { makeAppFolder, removeAppFolder } from "./app-folder.js";

/** The texts of an app's descriptors: file name below `resources/` → text. */
export type Descriptors = ReadonlyMap<string, string>;

/** An app whose descriptors change from release to release. */
export interface DescribedApp {
  /** Its folder. */
  readonly root: string;
  /** Replaces the descriptors and writes what is generated from them. */
  generate(descriptors: Descriptors, consent?: readonly string[]): Promise<Generated>;
}

/** And with its database. */
export interface ChangedApp extends DescribedApp {
  /** Its database, and its `migrations/`. */
  readonly target: MigrationTarget;
  readonly client: pg.Client;
  /** Names of what was applied. */
  migrate(): Promise<readonly string[]>;
  /** Undoes the newest migration, or all after the given one. */
  undo(to?: string): Promise<readonly string[]>;
  /** Schema dump of the database; of a lent one without the package's own objects. */
  dump(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function describedApp(root: string): DescribedApp {
  return {
    root,
    async generate(descriptors, consent = []) {
      putDescriptors(root, descriptors);
      const generated = await generate({ root, name: null, consent });
      if (generated.problems.length === 0) writePlan(root, generated.plan);
      return generated;
    },
  };
}

/** A new app. `given` is its database, perhaps with an open connection; without it one is created. */
export async function newChangedApp(given?: TestDatabase | LentDatabase): Promise<ChangedApp> {
  const root = makeAppFolder();
  const database = given ?? (await createDatabase());
  const target = { url: database.url, directory: join(root, "migrations") };
  const lent = given !== undefined && "client" in given ? given.client : null;
  const client = lent ?? (await connect(database));
  return {
    ...describedApp(root),
    target,
    client,
    migrate: async () => (await migrate(target)).applied.map(({ name }) => name),
    undo: async (to) =>
      (await undoMigrations({ ...target, ...(to === undefined ? {} : { to }) })).undone.map(
        ({ name }) => name,
      ),
    dump: given !== undefined && "dump" in given ? given.dump : () => catalogueOf(client),
    async close() {
      if (lent === null) await client.end();
      await database.drop();
      removeAppFolder(root);
    },
  };
}

async function connect({ url }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

function putDescriptors(root: string, descriptors: Descriptors): void {
  const folder = join(root, "resources");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [file, text] of descriptors) writeFileSync(join(folder, file), text);
}

/** The contents of a database that was made for these descriptors alone. */
export function freshDump(descriptors: Descriptors): Promise<readonly string[]> {
  return dumpOfNew(descriptors, ({ client }) => catalogueOf(client));
}

/** The same without the package's own objects, as that of a lent database. */
export function freshLentDump(descriptors: Descriptors): Promise<readonly string[]> {
  return dumpOfNew(descriptors, (database) => database.dump());
}

async function dumpOfNew(
  descriptors: Descriptors,
  dump: (database: LentDatabase) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const root = makeAppFolder();
  const database = await borrowDatabase();
  try {
    for (const { path, text } of firstMigration(descriptors)) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    await migrate({ url: database.url, directory: join(root, "migrations") });
    return await dump(database);
  } finally {
    await database.drop();
    removeAppFolder(root);
  }
}

/** Files that `generate` writes to `migrations/` of a new app, without the emitted server. */
function firstMigration(descriptors: Descriptors): readonly EmittedFile[] {
  const files = [...descriptors].map(([file, text]) => ({ path: `resources/${file}`, text }));
  const { model, problems } = resolveModel(readDescriptors(files), [], () => false);
  if (model === null) throw new Error(problems.map(formatProblem).join("\n"));
  const before = emptySchema;
  const renames = { tables: [], columns: [], values: [] };
  const changes = diffSchemas(before, buildSchema(model), renames);
  const history = parseHistory(new Map());
  return nextMigration({ history, before, changes, renames, words: null }).files;
}

/** The problems as the command prints them; empty for none. */
export function problemText({ problems }: Generated): string {
  return problems.map((problem) => `${formatProblem(problem)}\n`).join("");
}

/** The message of a refused `migrate`, with its hint on the last line. */
export async function refusalText(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error("was not refused"),
    (caught: unknown) => caught,
  );
  if (!(error instanceof MigrationError)) throw error;
  return `${error.message}\n  hint: ${error.hint}\n`;
}

/** Tally counts that differ from the rows. */
export async function wrongCounts(client: pg.Client): Promise<readonly unknown[]> {
  return (await client.query("select * from service.wrong_counts()")).rows;
}
