import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { inject } from "vitest";
import { makeAppFolder } from "../support/apps/app-folder.js";
import { linkPackages } from "../support/apps/link-packages.js";
import {
  cloneDatabase,
  emptyDatabase,
  onceARun,
  type TestDatabase,
} from "../support/database/database.js";
import { type Outcome, plain, program, runCommand } from "../support/processes/commands.js";

export { type Outcome, plain, program };

/** The checkout. */
export const repository = resolve(import.meta.dirname, "../..");

export interface Given {
  /** On top of a plain environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** False: nothing else is in the environment. */
  readonly extendEnv?: boolean;
  readonly input?: string;
}

/** Runs the built command in an app's folder; never throws for its exit status. */
export function service(
  root: string,
  args: readonly string[],
  { input = "", extendEnv = true, env = {} }: Given = {},
): Promise<Outcome> {
  return runCommand({
    args: ["-C", root, ...args],
    env: { ...(extendEnv ? { ...process.env, ...plain } : {}), ...env },
    input,
  });
}

/** Runs it with a full disk behind standard output. */
export async function serviceToFullDisk(
  root: string,
  args: readonly string[],
  { env = {} }: Pick<Given, "env"> = {},
): Promise<Pick<Outcome, "exitCode" | "stderr">> {
  const full = ["-c", 'exec "$@" > /dev/full', "sh", process.execPath, program, "-C", root];
  const { exitCode, stderr } = await execa("sh", [...full, ...args], {
    env: { ...plain, ...env },
    reject: false,
  });
  return { exitCode, stderr };
}

/** What it prints then. */
export const fullDisk =
  "Standard output cannot be written: ENOSPC: no space left on device, write\n" +
  "  hint: free space on its disk, or redirect it elsewhere";

/**
 * Starts it, for commands that run until a signal. Both outputs go through one pipe, in the order in which they were
 * written: two pipes are read in any order.
 */
export function startService(
  root: string,
  args: readonly string[],
  { env = {} }: Pick<Given, "env"> = {},
) {
  const inOnePipe = ["-c", 'exec "$@" 2>&1', "sh"];
  return execa("sh", [...inOnePipe, process.execPath, program, "-C", root, ...args], {
    env: { ...plain, ...env },
    stdin: "ignore",
    buffer: false,
    reject: false,
  });
}

/** A starter app as `service init` writes it, with the checkout as its installed package. */
export function starterApp(): Promise<string> {
  return copyOfRun("starter", makeStarter);
}

/** A starter app that is generated, and so has one migration. */
export function generatedApp(): Promise<string> {
  return copyOfRun("generated-starter", async (root) => {
    await makeStarter(root);
    await service(root, ["generate"]);
  });
}

/** An app that is generated, and its database, which is migrated; `.env` names it. */
export async function migratedApp(): Promise<{ root: string; database: TestDatabase }> {
  const record = join(inject("runFolder"), "migrated-starter-database");
  const root = await copyOfRun("migrated-starter", async (draft) => {
    await makeStarter(draft);
    const { url } = await emptyDatabase();
    const env = { DATABASE_URL: url };
    await service(draft, ["generate"]);
    await service(draft, ["migrate"], { env });
    writeFileSync(record, url);
  });
  const database = await cloneDatabase({ url: readFileSync(record, "utf8") });
  writeFileSync(join(root, ".env"), `DATABASE_URL=${database.url}\n`);
  return { root, database };
}

async function makeStarter(root: string): Promise<void> {
  await service(root, ["init", "."]);
  compileInOneThread(root);
  linkPackages(root, ["@types"]);
}

/** TypeScript's threads check the same types again: one alone takes half the processor time for an app of this size. */
function compileInOneThread(root: string): void {
  const path = join(root, "tsconfig.json");
  const { compilerOptions, ...others } = JSON.parse(readFileSync(path, "utf8"));
  const settings = { compilerOptions: { ...compilerOptions, singleThreaded: true }, ...others };
  writeFileSync(path, `${JSON.stringify(settings, null, 2)}\n`);
}

/** A copy of an app that is made once a run. */
async function copyOfRun(name: string, make: (root: string) => Promise<void>): Promise<string> {
  const template = join(inject("runFolder"), name);
  const draft = `${template}-draft`;
  const isMade = () => existsSync(template);
  const makeOnce = async () => {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft);
    await make(draft);
    renameSync(draft, template);
  };
  if (!isMade()) await onceARun(isMade, makeOnce);
  return copyApp(template);
}

/** A new app folder with all that another one holds. */
export function copyApp(root: string): string {
  const copy = makeAppFolder();
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}
