import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { type Given, migratedApp, type Outcome, service } from "./service.js";

/** A starter app for the commands below `user`; its database is migrated. */
export interface AccountsApp {
  readonly root: string;
  /** The app's database, past the commands. */
  readonly db: pg.Client;
  /** Runs `service user …`. */
  user(args: readonly string[], given?: Given): Promise<Outcome>;
  /** Runs `service …`. */
  run(args: readonly string[], given?: Given): Promise<Outcome>;
  /** Makes an account past the commands, with what is given as columns. */
  account(email: string, columns?: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

export async function openAccountsApp(): Promise<AccountsApp> {
  const { root, database } = await migratedApp();
  // Nothing is asked of the public list of stolen passwords here.
  writeFileSync(join(root, "service.yaml"), "auth: { check_breached_passwords: false }\n");
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();

  async function account(email: string, columns: Readonly<Record<string, unknown>> = {}) {
    const row = { email, name: email.split("@")[0], ...columns };
    const names = Object.keys(row);
    const places = names.map((_, at) => `$${at + 1}`);
    await db.query(
      `insert into service.users (id, ${names.join(", ")})
       values (gen_random_uuid(), ${places.join(", ")})`,
      Object.values(row),
    );
  }

  return {
    root,
    db,
    run: (args, given) => service(root, args, given),
    user: (args, given) => service(root, ["user", ...args], given),
    account,
    close: async () => {
      await db.end();
      removeAppFolder(root);
      await database.drop();
    },
  };
}
