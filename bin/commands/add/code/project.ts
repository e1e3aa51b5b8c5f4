import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { type Node, Project, ts } from "ts-morph";
import { CommandRefused } from "../../../../runtime/command/exit.js";

/** Thrown if app code cannot be edited safely; the command then prints text to paste. */
export class NotEditable extends Error {}

/** Stand-in declarations of packages, TypeScript's library and `generated/app.ts`, which may not exist yet. */
const standInText = `
type Functions = { [name: string]: (...given: never[]) => unknown };
type Named = { [resource: string]: Functions };
export type { Named as Policies };
export type Hooks<Inputs = 1> = Named;
export type ResourceHooks<A, B, C = 1, D = 1> = Functions;
export type ResourcePolicies<A, B = 1, C = 1, D = 1> = Functions;
export type AppOptions = { hooks?: Named; policies?: Named; [name: string]: unknown };
export declare function createApp(options?: AppOptions): any;
export declare function Router(): any;
export default { Router };
declare global {
  type Hooks = Named;
  type Policies = Named;
  type Partial<T> = T;
  type NonNullable<T> = T & {};
  type Parameters<T> = T extends (...given: infer P) => any ? P : never;
  interface Promise<T> { then(done: (value: T) => any): any }
}`;

/** Opens the app's own TypeScript: `server.ts` and the app's files that it imports. */
export function openAppCode(root: string): Project {
  const server = join(root, "server.ts");
  if (!existsSync(server)) {
    throw new CommandRefused(`There is no server.ts in ${root}`, "npx service init . writes one");
  }
  const config = join(root, "tsconfig.json");
  const app = join(root, "generated", "app.ts");
  const project = new Project({
    ...(existsSync(config) && { tsConfigFilePath: config }),
    compilerOptions: { noLib: true, strict: true, types: [], rootDir: root },
    skipAddingFilesFromTsConfig: true,
    resolutionHost: (host, options) => ({
      resolveModuleNames: (names, from) =>
        names.map((name) => {
          if (/^(express$|service-runtime\/)/.test(name)) return { resolvedFileName: app };
          const found = ts.resolveModuleName(name, from, options(), host).resolvedModule;
          const path = within(root, found?.resolvedFileName ?? root);
          return path === standIn || ownPath.test(path) ? found : undefined;
        }),
    }),
  });
  project.createSourceFile(app, standInText, { overwrite: true });
  project.addSourceFileAtPath(server);
  project.resolveSourceFileDependencies();
  return project;
}

const standIn = "generated/app.ts";
const ownPath =
  /^(?!(\.\.|generated|node_modules|dist|\.service)\/)(?!.*\/node_modules\/).*\.[cm]?tsx?$/;

/** Whether a node refers to the function of that name in the generated app or in a package, even under an alias. */
export function isTheirs(node: Node, name: string): boolean {
  const symbol = node.getType().getSymbol();
  const [declaration] = symbol?.getDeclarations() ?? [];
  return symbol?.getName() === name && declaration !== undefined && pathOf(declaration) === standIn;
}

/** Returns the position of a node relative to the app's folder, such as `server.ts:7`. */
export function placeOf(node: Node): string {
  return `${pathOf(node)}:${node.getStartLineNumber()}`;
}

/** The path of a node's file, relative to the app's folder. */
export function pathOf(node: Node): string {
  const { rootDir = "" } = node.getProject().getCompilerOptions();
  return within(rootDir, node.getSourceFile().getFilePath());
}

/** Returns the path relative to the folder, with forward slashes. */
export function within(folder: string, path: string): string {
  return relative(folder, path).replaceAll("\\", "/");
}
