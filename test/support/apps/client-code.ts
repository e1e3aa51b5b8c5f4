import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ts } from "ts-morph";

const apps = resolve(import.meta.dirname, "../../../fixtures/apps");

/** The files of an app's client as they are emitted, by path: `client.ts`, `client/index.ts`, … */
export function clientSources(app: string): ReadonlyMap<string, string> {
  const generated = join(apps, app, "generated");
  const paths = readdirSync(generated, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => /^(?:client|live|client\/[\w-]+)\.ts$/.test(path));
  return new Map(files.map((path) => [path, readFileSync(join(generated, path), "utf8")]));
}

/** Output of `tsc`, by module path: types are erased, and nothing else changes. */
export function clientModules(
  app: string,
  module = ts.ModuleKind.ESNext,
): ReadonlyMap<string, string> {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module, verbatimModuleSyntax: true };
  return new Map(
    [...clientSources(app)].map(([path, source]) => [
      path.replace(/ts$/, "js"),
      ts.transpileModule(source, { compilerOptions }).outputText,
    ]),
  );
}
