import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import { explainMissingPackages } from "./missing-package.js";

export interface Compiled {
  /** Absolute path of the compiled `server.ts`; null if it is missing or the compiler reports type errors. */
  readonly entry: string | null;
  /** The compiler's messages, one per line: `file:line:column: …`. */
  readonly output: string;
}

/** Compiles an app into `.service/build` with the app's TypeScript, or the package's if the app has none. */
export interface Compiler {
  run(interrupted: AbortSignal): Promise<Compiled>;
}

const folder = ".service/build";

/** Empties the output folder, as it may contain code compiled from sources that have since been deleted. */
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

/** Removes compiled tests, which test runners that search the app's folder would otherwise run as well. */
function removeTests(built: string): void {
  if (!existsSync(built)) return;
  for (const name of readdirSync(built, { recursive: true, encoding: "utf8" })) {
    if (/\.(?:test|spec)\.[cm]?js(?:\.map)?$/.test(name)) rmSync(join(built, name));
  }
}

/** Override the app's configuration, so that JavaScript is written to `.service/build`. */
const options = [
  ...["--project", "tsconfig.json", "--pretty", "false", "--rootDir", "."],
  ...["--noEmit", "false", "--noEmitOnError", "false", "--outDir", folder],
  // Node.js reads source maps, so stack traces show the lines of server.ts.
  ...["--sourceMap", "true", "--inlineSourceMap", "false"],
  // Unused names do not matter while code is being written; `npm run build` still reports them.
  ...["--noUnusedLocals", "false", "--noUnusedParameters", "false"],
  ...["--incremental", "--tsBuildInfoFile", `${folder}/.tsbuildinfo`],
];

/** An app with a type error might start, only to fail at the position that the compiler reported. */
const typeError = /(?:^|: )error TS\d+: /m;

function runCompiler(root: string, signal: AbortSignal): Promise<string> {
  const args = [compilerOf(root), ...options];
  const settings = { cwd: root, signal, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    // The exit status only says whether there are errors; the output lists them.
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
