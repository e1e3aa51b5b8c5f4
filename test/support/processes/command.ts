import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";

/** A program that uses the built package as a command would, so that it can be killed. */
export interface Program {
  /** Its folder; its `node_modules` is a link to ours. */
  readonly folder: string;
  /** Runs it, and returns its process. */
  run(args: readonly string[], account?: Account): Running;
  remove(): void;
}

/** Of the operating system; our own when left out. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

export type Running = ReturnType<typeof start>;

/** Copies the built package and puts the program's text beside it, readable by all. */
export async function makeProgram(text: string): Promise<Program> {
  const repository = resolve(import.meta.dirname, "../../..");
  const folder = mkdtempSync(join(tmpdir(), "service-program-"));
  await execa("cp", ["-a", join(repository, "dist/bin"), join(repository, "dist/runtime"), folder]);
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "name": "service-cli", "type": "module" }\n');
  const file = join(folder, "program.js");
  writeFileSync(file, text);
  await execa("chmod", ["-R", "a+rX", folder]);
  return {
    folder,
    run: (args, account = {}) => start(file, args, account),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function start(file: string, args: readonly string[], account: Account) {
  return execa(process.execPath, [file, ...args], { ...account, cwd: "/", reject: false });
}
