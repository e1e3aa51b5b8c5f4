import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import {
  type MigrateOptions,
  migrate,
  type UndoOptions,
  undoMigrations,
} from "../../../runtime/migrate/index.js";
import { makeAppFolder } from "../apps/app-folder.js";
import { createDatabase } from "./database.js";

/** A database with the package's tables, and a folder of migrations to try on it. */
export interface Bench {
  readonly url: string;
  /** The folder `migrations/`. */
  readonly directory: string;
  /** A connection outside of the migration. */
  readonly client: pg.Client;
  /** Writes `migrations/<name>.sql`; `down/<name>` is the way back. */
  write(name: string, ...lines: readonly string[]): void;
  migrate(options?: Partial<MigrateOptions>): ReturnType<typeof migrate>;
  undo(options?: Partial<UndoOptions>): ReturnType<typeof undoMigrations>;
  rows<Row extends object>(text: string): Promise<readonly Row[]>;
  /** One more connection; ended with the bench. */
  connect(): Promise<pg.Client>;
  /** Ends every connection to the database but `client` and `spared`. */
  cutOthers(spared?: pg.Client): Promise<void>;
  drop(): Promise<void>;
}

export async function newBench(): Promise<Bench> {
  const database = await createDatabase();
  const root = makeAppFolder();
  const directory = join(root, "migrations");
  mkdirSync(directory);
  const clients: pg.Client[] = [];
  const connect = async () => {
    const one = new pg.Client({ connectionString: database.url });
    one.on("error", () => {});
    await one.connect();
    clients.push(one);
    return one;
  };
  const client = await connect();
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
    connect,
    async cutOthers(spared = client) {
      const { rows } = await spared.query("select pg_backend_pid() as pid");
      await client.query(
        `select pg_terminate_backend(pid, 5000)
         from pg_stat_activity
         where datname = current_database() and pid not in (pg_backend_pid(), $1)`,
        [rows[0].pid],
      );
    },
    async drop() {
      await Promise.all(clients.map((one) => one.end()));
      await database.drop();
      rmSync(root, { recursive: true });
    },
  };
}
