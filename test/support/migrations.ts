import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import {
  type MigrateOptions,
  migrate,
  type UndoOptions,
  undoMigrations,
} from "../../runtime/db/index.js";
import { makeAppFolder } from "./app-folder.js";
import { createDatabase } from "./database.js";

/** A database with the package's tables, and a folder of migrations to try on it. */
export interface Bench {
  readonly url: string;
  /** The folder `migrations/`. */
  readonly directory: string;
  /** A connection that sees what everybody else sees. */
  readonly client: pg.Client;
  /** Writes `migrations/<name>.sql`; `down/<name>` is the way back. */
  write(name: string, ...lines: readonly string[]): void;
  migrate(options?: Partial<MigrateOptions>): ReturnType<typeof migrate>;
  undo(options?: Partial<UndoOptions>): ReturnType<typeof undoMigrations>;
  rows<Row extends object>(text: string): Promise<readonly Row[]>;
  drop(): Promise<void>;
}

export async function newBench(): Promise<Bench> {
  const database = await createDatabase();
  const root = makeAppFolder();
  const directory = join(root, "migrations");
  mkdirSync(directory);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const target = { url: database.url, directory };
  return {
    ...target,
    client,
    write(name, ...lines) {
      const path = join(directory, `${name}.sql`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${lines.join("\n")}\n`);
    },
    migrate: (options) => migrate({ ...target, ...options }),
    undo: (options) => undoMigrations({ ...target, ...options }),
    rows: async (text) => (await client.query(text)).rows,
    async drop() {
      await client.end();
      await database.drop();
      rmSync(root, { recursive: true });
    },
  };
}
