import { group, ifBroken, indent, join, line, print } from "./layout.js";
import { stringLiteral } from "./typescript.js";

/** The names of one `import` statement. */
export interface Import {
  readonly from: string;
  readonly names: readonly string[];
  /** Whether all names are types. */
  readonly typeOnly?: boolean;
}

/** An import of a JSON file under one name. */
export interface JsonImport {
  readonly from: string;
  readonly json: string;
}

/** An import of a whole module under one name, by default as types only. */
export interface NamespaceImport {
  readonly from: string;
  readonly all: string;
  readonly isValue?: boolean;
}

/** Returns the sorted import block of a file, without modules from which no name is used. */
export function importLines(imports: readonly AnyImport[]): string[] {
  return imports
    .filter((one) => !("names" in one) || one.names.length > 0)
    .toSorted((a, b) => compareModules(a.from, b.from))
    .map((one) => {
      if ("json" in one) return jsonLine(one);
      return "all" in one ? namespaceLine(one) : importLine(one);
    });
}

export type AnyImport = Import | JsonImport | NamespaceImport;

function namespaceLine({ from, all, isValue = false }: NamespaceImport): string {
  return `import ${isValue ? "" : "type "}* as ${all} from ${stringLiteral(from)};`;
}

/** Returns the lines that export everything from some modules, in the order of imports. */
export function exportLines(
  modules: readonly { readonly from: string; readonly typeOnly?: boolean }[],
): string[] {
  return modules
    .toSorted((a, b) => compareModules(a.from, b.from))
    .map(({ from, typeOnly = false }) =>
      [typeOnly ? "export type * from" : "export * from", `${stringLiteral(from)};`].join(" "),
    );
}

function jsonLine({ from, json }: JsonImport): string {
  return `import ${json} from ${stringLiteral(from)} with { type: "json" };`;
}

function importLine({ from, names, typeOnly = false }: Import): string {
  const sorted = [...new Set(names)]
    .map((name) => ({ name, letters: lettersOf(name) }))
    .sort((a, b) => compare(a.letters, b.letters))
    .map(({ name }) => name);
  const start = typeOnly ? "import type {" : "import {";
  const end = `} from ${stringLiteral(from)};`;
  // A single name stays on its line, whatever its length.
  if (sorted.length === 1) return `${start} ${sorted[0]} ${end}`;
  const content = indent(line, join([",", line], sorted));
  return print(group(start, content, ifBroken(","), line, end), { indent: 0 });
}

/** Sorts packages before files of the app, and parent folders before files in the same folder. */
function compareModules(a: string, b: string): number {
  return distance(a) - distance(b) || compare(sortable(a), sortable(b)) || compare(a, b);
}

/** A key that sorts the slash first, then the dot, and fewer digits before more: `./a/b`, `./a.js`, `./a-b.js`. */
function sortable(module: string): string {
  return module
    .replaceAll("/", "\0")
    .replaceAll(".", "\u0001")
    .replace(/\d+/g, (digits) => String(digits.length).padStart(3, "0") + digits);
}

function distance(module: string): number {
  if (module.startsWith("../")) return 1;
  return module.startsWith("./") ? 2 : 0;
}

/** A key that sorts as formatters do, `A` `a` `B` `b`, ignoring a leading `type `. */
function lettersOf(name: string): string {
  const letters = [...name.replace(/^type /, "")];
  return letters.map((one) => one.toLowerCase() + (/[A-Z]/.test(one) ? "0" : "1")).join("");
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
