import { Project, SyntaxKind } from "ts-morph";
import { count } from "../../../runtime/command/report.js";
import { rewriteManifest } from "./manifest.js";
import type { Rewritten } from "./rewritten.js";

export interface AppFile {
  /** Relative to the app's folder. */
  readonly path: string;
  readonly text: string;
}

/** What becomes of an app's file; null where nothing does. */
export function rewrite({ path, text }: AppFile, version: string): Rewritten | null {
  if (path === "package.json") return rewriteManifest(text, version);
  if (path.endsWith(".json")) return rewriteSettings(text);
  if (/\.ya?ml$/.test(path)) return rewriteDescriptor(text);
  return rewriteCode(path, text);
}

/** Where the parts of the former package are. */
function moduleOf(former: string): string | null {
  if (former === "service/testing") return "service-cli/testing";
  const [, room] = /^service\/runtime\/([\w-]+)$/.exec(former) ?? [];
  if (room === undefined) return null;
  return `service-runtime/${room === "services" ? "own-code" : room}`;
}

/** Every text that is a module's name: of imports, and of calls such as a test runner's to replace a module. */
function rewriteCode(path: string, text: string): Rewritten | null {
  if (!text.includes("service/")) return null;
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const file = project.createSourceFile(path, text);
  const names = file.getDescendantsOfKind(SyntaxKind.StringLiteral).flatMap((literal) => {
    const name = moduleOf(literal.getLiteralText());
    return name === null ? [] : [{ from: literal.getStart() + 1, to: literal.getEnd() - 1, name }];
  });
  if (names.length === 0) return null;
  const replaced = names.reduceRight(
    (before, { from, to, name }) => before.slice(0, from) + name + before.slice(to),
    text,
  );
  return { text: replaced, what: count(names.length, "import") };
}

/** Paths of a compiler's settings. */
function rewriteSettings(text: string): Rewritten | null {
  const replaced = text.replace(/"service\/(?:runtime\/[\w-]+|testing)"/g, (name) => {
    const module = moduleOf(name.slice(1, -1));
    return module === null ? name : `"${module}"`;
  });
  return replaced === text ? null : { text: replaced, what: "paths of modules" };
}

/** The comment by which editors find the schema. */
function rewriteDescriptor(text: string): Rewritten | null {
  const replaced = text.replace(
    /^(# yaml-language-server: \$schema=.*\bnode_modules\/)service\//m,
    "$1service-cli/",
  );
  return replaced === text ? null : { text: replaced, what: "the schema for editors" };
}
