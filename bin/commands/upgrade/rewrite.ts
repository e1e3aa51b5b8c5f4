import { type ImportDeclaration, Project, type SourceFile, SyntaxKind } from "ts-morph";
import { count } from "../../../runtime/command/report.js";
import { rewriteManifest } from "./manifest.js";
import type { Rewritten } from "./rewritten.js";

export interface AppFile {
  /** Relative to the app's folder. */
  readonly path: string;
  readonly text: string;
}

export interface Target {
  /** The version of both packages. */
  readonly version: string;
  /** The folder of each type of query conditions, by name: `order-items` for `OrderItemWhere`. */
  readonly whereTypes: ReadonlyMap<string, string>;
}

/** The new text of an app's file; null if it is unchanged. */
export function rewrite({ path, text }: AppFile, target: Target): Rewritten | null {
  if (path === "package.json") return rewriteManifest(text, target.version);
  if (path.endsWith(".json")) return rewriteSettings(text);
  if (/\.ya?ml$/.test(path)) return rewriteDescriptor(text);
  return rewriteCode({ path, text }, target.whereTypes);
}

/** The module that replaces a module of the former package; null if there is none. */
function moduleOf(former: string): string | null {
  if (former === "service/testing") return "service-cli/testing";
  const [, room] = /^service\/runtime\/([\w-]+)$/.exec(former) ?? [];
  if (room === undefined) return null;
  return `service-runtime/${room === "services" ? "own-code" : room}`;
}

/** Renames modules of the package, and types that `generated/app.js` exported in 0.5. */
function rewriteCode({ path, text }: AppFile, whereTypes: Target["whereTypes"]): Rewritten | null {
  if (!/service\/|generated\/app\.js/.test(text)) return null;
  const file = parse(path, text);
  const changed = renameModules(file) + moveWhereTypes(file, whereTypes);
  // Comments contain code to be uncommented, such as the starter's import of `refusal`.
  const rewritten = renameQuoted(file.getFullText());
  if (rewritten === text) return null;
  return { text: rewritten, what: changed === 0 ? "comments" : count(changed, "import") };
}

function parse(path: string, text: string): SourceFile {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  return project.createSourceFile(path, text);
}

/**
 * Renames modules in imports and in calls, such as those with which a test runner mocks a module. Returns the number of
 * changes.
 */
function renameModules(file: SourceFile): number {
  const names = file.getDescendantsOfKind(SyntaxKind.StringLiteral).flatMap((literal) => {
    const name = moduleOf(literal.getLiteralText());
    return name === null ? [] : [{ literal, name }];
  });
  for (const { literal, name } of names) literal.setLiteralValue(name);
  return names.length;
}

/** Imports the types of a resource's conditions from its folder. Returns the number of changed imports. */
function moveWhereTypes(file: SourceFile, whereTypes: Target["whereTypes"]): number {
  const moved = file
    .getImportDeclarations()
    .filter((one) => /(?:^|\/)generated\/app\.js$/.test(one.getModuleSpecifierValue()))
    .map((declaration) => moveFrom(declaration, whereTypes));
  return moved.reduce((sum, each) => sum + each, 0);
}

function moveFrom(declaration: ImportDeclaration, whereTypes: Target["whereTypes"]): number {
  const file = declaration.getSourceFile();
  const specifier = declaration.getModuleSpecifier();
  file.getProject().manipulationSettings.set({ quoteKind: specifier.getQuoteKind() });
  const moved = declaration.getNamedImports().flatMap((named) => {
    const folder = whereTypes.get(named.getName());
    return folder === undefined ? [] : [{ named, folder }];
  });
  for (const { named, folder } of moved.toReversed()) {
    file.insertImportDeclaration(declaration.getChildIndex() + 1, {
      isTypeOnly: true,
      namedImports: [{ ...named.getStructure(), isTypeOnly: false }],
      moduleSpecifier: specifier.getLiteralValue().replace(/app\.js$/, `${folder}/types.js`),
    });
    named.remove();
  }
  const isEmpty =
    declaration.getNamedImports().length === 0 && declaration.getDefaultImport() === undefined;
  if (moved.length > 0 && isEmpty) declaration.remove();
  return moved.length;
}

/** Rewrites paths in a compiler's settings. */
function rewriteSettings(text: string): Rewritten | null {
  const replaced = renameQuoted(text);
  return replaced === text ? null : { text: replaced, what: "paths of modules" };
}

/** Renames quoted modules in any context. */
function renameQuoted(text: string): string {
  return text.replace(/(["'`])(service\/[\w/-]+)\1/g, (quoted, quote: string, name: string) => {
    const module = moduleOf(name);
    return module === null ? quoted : quote + module + quote;
  });
}

/** Rewrites the comment with which editors find the schema. */
function rewriteDescriptor(text: string): Rewritten | null {
  const replaced = text.replace(
    /^(# yaml-language-server: \$schema=.*\bnode_modules\/)service\//m,
    "$1service-cli/",
  );
  return replaced === text ? null : { text: replaced, what: "the schema for editors" };
}
