import { Node, type SourceFile, SymbolFlags } from "ts-morph";
import type { Style } from "./style.js";

/** An imported name that the added code needs. */
export interface Import {
  readonly module: string;
  readonly name: string;
  readonly isType: boolean;
  /** The name's local alias in the file. */
  readonly local: string;
}

type Wanted = Omit<Import, "local">;

/**
 * Returns the import to use at a node: `wanted`, or under the alias `otherwise` if its name has another meaning there.
 */
export function importFor(node: Node, wanted: Wanted, otherwise: string): Import {
  const { known } = imported(node.getSourceFile(), wanted);
  const free = known !== undefined || !isTaken(node, wanted.name) ? wanted.name : otherwise;
  return { ...wanted, local: known?.getAliasNode()?.getText() ?? free };
}

export function isTaken(node: Node, name: string): boolean {
  return node.getSymbolsInScope(SymbolFlags.All).some((one) => one.getName() === name);
}

/** Adds the name to an import of the same module, or else adds an import below those of packages or of files. */
export function addImport(file: SourceFile, wanted: Import, { like, pad }: Style): void {
  const { module, name, local, isType } = wanted;
  const { known, from } = imported(file, wanted);
  if (known !== undefined) return;
  const named = local === name ? name : `${name} as ${local}`;
  const into = from.find(
    (one) => one.getNamedImports().length > 0 || !(one.isTypeOnly() || one.getNamespaceImport()),
  );
  if (into !== undefined) {
    into.addNamedImport(isType && !into.isTypeOnly() ? `type ${named}` : named);
    return;
  }
  const line = `import ${isType ? "type " : ""}{${pad}${named}${pad}} from "${module}";`;
  const isFile = (path: string) => path.startsWith(".");
  const all = file.getImportDeclarations();
  const last = all.findLast((one) => isFile(module) || !isFile(one.getModuleSpecifierValue()));
  const [first] = file.getStatements();
  if (last !== undefined) insertBelow(last, like(`\n${line}`));
  else if (first !== undefined) insertAbove(first, like(line + (all.length > 0 ? "\n" : "\n\n")));
}

/** The imports of a module to which the name can be added, and the name if it is already imported. */
function imported(file: SourceFile, { module, name, isType }: Wanted) {
  const from = file
    .getImportDeclarations()
    .filter((one) => one.getModuleSpecifierValue() === module && (isType || !one.isTypeOnly()));
  const known = from
    .flatMap((one) => one.getNamedImports())
    .find((one) => one.getName() === name && (isType || !one.isTypeOnly()));
  return { from, known };
}

/**
 * Returns the statement around a node that is an element of a list of statements, so that others can be added next to
 * it.
 */
export function statementAround(node: Node): Node {
  return node.getFirstAncestorOrThrow(
    (one) => Node.isStatement(one) && Node.isStatemented(one.getParent()),
  );
}

/**
 * Inserts statements before another one and the comments directly above it, but after comments at the top of the file.
 */
export function insertAbove(statement: Node, code: string): void {
  const file = statement.getSourceFile();
  const before = file.getFullText().slice(0, statement.getStart(true));
  const [above = ""] = /(?:(?<![^\n])[ \t]*\/\/.*\n)*[ \t]*$/.exec(before) ?? [];
  const text = code.replace(/^(?=.)/gm, statement.getIndentationText());
  file.insertText(before.length - (above === before ? 0 : above.length), text);
}

export function insertBelow(statement: Node, code: string): void {
  const text = code.replace(/^(?=.)/gm, statement.getIndentationText());
  statement.getSourceFile().insertText(statement.getTrailingTriviaEnd(), text);
}
