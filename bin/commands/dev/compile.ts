import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import { explainMissingPackages } from "./missing-package.js";

export interface Compiled {
  /** The compiled `server.ts`, absolute; null if there is none or the compiler reports type errors. */
  readonly entry: string | null;
  /** The compiler's messages, as lines of `file:line:column: …`. */
  readonly output: string;
}

/** Compiles an app into `.service/build` with the app's TypeScript, or else with the package's. */
export interface Compiler {
  run(interrupted: AbortSignal): Promise<Compiled>;
}

const folder = ".service/build";

/** Starts with an empty folder: sources of files that an earlier session compiled may have been deleted. */
export function newCompiler(root: string): Compiler {
  rmSync(join(root, folder), { recursive: true, force: true });
  const entry = join(root, folder, "server.js");
  return {
    async run(interrupted) {
      const output = await runCompiler(root, interrupted);
      removeTests(join(root, folder));
      const canRun = existsSync(entry) && !typeError.test(output) && !interrupted.aborted;
      return { entry: canRun ? entry : null, output };
    },
  };
}

/** Test runners that search the app's folder would find each test twice. */
function removeTests(built: string): void {
  if (!existsSync(built)) return;
  for (const name of readdirSync(built, { recursive: true, encoding: "utf8" })) {
    if (/\.(?:test|spec)\.[cm]?js(?:\.map)?$/.test(name)) rmSync(join(built, name));
  }
}

/** These override the app's configuration, so that JavaScript is written to our folder. */
const options = [
  ...["--project", "tsconfig.json", "--pretty", "false", "--rootDir", "."],
  ...["--noEmit", "false", "--noEmitOnError", "false", "--outDir", folder],
  // Node.js reads source maps, so that a stack trace shows the lines of server.ts.
  ...["--sourceMap", "true", "--inlineSourceMap", "false"],
  // Unused names do not matter while code is being written; `npm run build` still reports them.
  ...["--noUnusedLocals", "false", "--noUnusedParameters", "false"],
  ...["--incremental", "--tsBuildInfoFile", `${folder}/.tsbuildinfo`],
];

/** Despite a type error the app might start, and then fail at the place that the compiler reported. */
const typeError = /(?:^|: )error TS\d+: /m;

function runCompiler(root: string, signal: AbortSignal): Promise<string> {
  const args = [compilerOf(root), ...options];
  const settings = { cwd: root, signal, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    // The exit status only reports that there are errors, which the output lists.
    execFile(process.execPath, args, settings, (_error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.replace(/^(.+?)\((\d+),(\d+)\): /gm, "$1:$2:$3: ");
      resolve(explainMissingPackages(root, output));
    });
  });
}

const manifestShape = z.object({ bin: z.object({ tsc: z.string() }) });

function compilerOf(root: string): string {
  const manifest = manifestOf(join(root, "package.json")) ?? manifestOf(import.meta.filename);
  if (manifest === null) throw new Error("typescript, a dependency of this package, is missing");
  const { bin } = manifestShape.parse(JSON.parse(readFileSync(manifest, "utf8")));
  return join(dirname(manifest), bin.tsc);
}

function manifestOf(from: string): string | null {
  try {
    return createRequire(from).resolve("typescript/package.json");
  } catch {
    return null;
  }
}
