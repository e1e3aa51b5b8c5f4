import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Node, Project, type SourceFile, ts } from "ts-morph";
import { CommandRefused } from "../../../exit.js";
import { NotEditable } from "./not-editable.js";

/** The app's own TypeScript: `server.ts` and what it imports of the app, but nothing generated. */
export interface OwnCode {
  readonly root: string;
  readonly files: readonly SourceFile[];
  /** What stands for `generated/app.ts`, which need not be there yet. */
  readonly generated: SourceFile;
}

/** Promises are for `await import("./generated/app.js")`: the library is not read. */
const generatedText = `export declare function createApp(options?: any): any;
declare global {
  interface Promise<T> { then(done: (value: T) => any): any }
}`;

/** What adding code comes to: a file that was changed, in memory alone, or the place where the code is already. */
export type Outcome = { readonly file: SourceFile } | { readonly there: string };

/**
 * Reads and parses the app's own code; `drafts` are texts by their absolute path that take the place of files.
 * Refuses an app without `server.ts`, and code that does not parse.
 */
export function openOwnCode(
  root: string,
  drafts: ReadonlyMap<string, string> = new Map(),
): OwnCode {
  const entry = join(root, "server.ts");
  if (!existsSync(entry)) {
    throw new CommandRefused(`There is no server.ts in ${root}`, "npx service init . writes one");
  }
  const app = join(root, "generated", "app.ts");
  const project = new Project({
    compilerOptions: { ...moduleOptions(root), noLib: true, types: [], skipLibCheck: true },
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
    resolutionHost: (host, options) => ({
      resolveModuleNames: (names, from) =>
        names.map((name) => {
          if (isGenerated(app, from, name)) return { resolvedFileName: app };
          const found = ts.resolveModuleName(name, from, options(), host).resolvedModule;
          return found !== undefined && isOwn(root, found.resolvedFileName) ? found : undefined;
        }),
    }),
  });
  const generated = project.createSourceFile(app, generatedText, { overwrite: true });
  for (const [path, text] of drafts) project.createSourceFile(path, text, { overwrite: true });
  project.addSourceFileAtPath(entry);
  // What is imported is read with the program.
  const program = project.getProgram();
  const files = program.compilerObject
    .getSourceFiles()
    .map(({ fileName }) => project.addSourceFileAtPath(fileName))
    .filter((file) => file !== generated);
  for (const file of files) {
    const [error] = program.getSyntacticDiagnostics(file);
    if (error === undefined) continue;
    const text = error.getMessageText();
    const words = typeof text === "string" ? text : text.getMessageText();
    const { line, column } = file.getLineAndColumnAtPos(error.getStart() ?? 0);
    throw new NotEditable(`${pathOf(root, file)}:${line}:${column}: ${words}`);
  }
  return { root, files, generated };
}

/** `server.ts:7`, relative to the app's folder. */
export function placeOf(root: string, node: Node): string {
  return `${pathOf(root, node.getSourceFile())}:${node.getStartLineNumber()}`;
}

/** Relative to the app's folder, with forward slashes. */
export function pathOf(root: string, file: SourceFile): string {
  return relative(root, file.getFilePath()).replaceAll("\\", "/");
}

/** Whether an import leads to the app's generated file. */
function isGenerated(app: string, from: string, specifier: string): boolean {
  const path = resolve(dirname(from), specifier).replace(/\.[cm]?[jt]s$/, "");
  return specifier.startsWith(".") && `${path}.ts` === app;
}

function isOwn(root: string, path: string): boolean {
  const [top = "", ...below] = relative(root, resolve(path)).split(sep);
  const outside = ["..", "generated", "node_modules", "dist", ".service"];
  return !outside.includes(top) && !below.includes("node_modules") && /\.[cm]?tsx?$/.test(path);
}

/** How the app's compiler finds modules; a new app's way where it does not say. */
function moduleOptions(root: string): ts.CompilerOptions {
  const usual = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
  };
  const path = join(root, "tsconfig.json");
  if (!existsSync(path)) return usual;
  const { config } = ts.parseConfigFileTextToJson(path, readFileSync(path, "utf8"));
  const settings: unknown = config?.compilerOptions;
  if (typeof settings !== "object" || settings === null) return usual;
  const { options } = ts.convertCompilerOptionsFromJson(settings, root, path);
  const { baseUrl, paths } = options;
  return {
    ...usual,
    ...(options.moduleResolution === ts.ModuleResolutionKind.Bundler && {
      module: ts.ModuleKind.ESNext,
      moduleResolution: options.moduleResolution,
    }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(paths !== undefined && { paths, pathsBasePath: root }),
  };
}
