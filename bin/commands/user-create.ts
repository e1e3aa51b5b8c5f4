import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Account, createAccount } from "../../runtime/auth/index.js";
import { systemClock } from "../../runtime/clock/index.js";
import type { Config } from "../../runtime/config/index.js";
import { openDatabase, pendingMigrations } from "../../runtime/db/index.js";
import { newLog } from "../../runtime/http/index.js";
import { withConfig } from "../database.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { promptPassword } from "../prompt.js";
import { sayDone, sayJson } from "../report.js";

export interface UserCreateOptions {
  readonly email: string;
  readonly name: string;
  readonly role?: string;
  readonly passwordStdin?: true;
  readonly json?: true;
}

/** Creates an account; refuses where migrations are pending, as the server does. */
export async function createUser(root: string, options: UserCreateOptions): Promise<ExitCode> {
  const account = await withConfig(root, (config) => create(config, options));
  if (options.json) sayJson(account);
  else sayDone(`${account.email} can sign in${account.role === null ? "" : ` as ${account.role}`}`);
  return exit.done;
}

async function create(config: Config, options: UserCreateOptions): Promise<Account> {
  const { url, prepare } = config.database;
  const log = newLog({ logLevel: "silent" });
  const db = openDatabase({ url, poolSize: 1, prepare, log });
  try {
    const pending = await pendingMigrations(db, join(config.root, "migrations"));
    if (pending.length > 0) {
      throw new CommandRefused("The database is not up to date", "run: service migrate");
    }
    const { email, name, role = null } = options;
    const password = await readPassword(options);
    return await createAccount({ db, config, clock: systemClock }, { email, name, role, password });
  } finally {
    await db.close();
  }
}

async function readPassword({ passwordStdin }: UserCreateOptions): Promise<string> {
  // Only the line's end that `echo` adds is not part of the password.
  if (passwordStdin) return (await text(process.stdin)).replace(/\r?\n$/, "");
  if (process.stdin.isTTY) return promptPassword();
  throw new CommandRefused(
    "There is no terminal to ask for the password",
    "give it on standard input with --password-stdin",
    exit.wrongUsage,
  );
}
