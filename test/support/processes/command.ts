import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { localTools } from "./tools.js";

/** A compiled program that uses the runtime as a command would, so that it can be killed. */
export interface Program {
  /** Where it was compiled to; its `node_modules` is a link to ours. */
  readonly folder: string;
  /** Runs it; the answer is its running process. */
  run(args: readonly string[], account?: Account): Running;
  remove(): void;
}

/** Of the operating system; our own when left out. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

export type Running = ReturnType<typeof start>;

/** Compiles the runtime's database room and puts the program's text beside it, readable by all. */
export async function makeProgram(text: string): Promise<Program> {
  const repository = resolve(import.meta.dirname, "../../..");
  const folder = mkdtempSync(join(tmpdir(), "service-program-"));
  const options = [
    "--ignoreConfig",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--types",
    "node",
  ];
  const places = ["--rootDir", repository, "--outDir", folder, "--skipLibCheck"];
  const source = "bin/embedded/load.ts";
  await execa("tsc", [...options, ...places, source], { ...localTools, cwd: repository });
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "name": "service", "type": "module" }\n');
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
