import { type ImportDeclaration, Node, type SourceFile, SyntaxKind } from "ts-morph";
import { blockStart } from "../code/place.js";
import { added, addedBelow, type Edit } from "./edits.js";
import { quotedText, type Style } from "./style.js";

/** A name that the code to add needs. */
export interface Wanted {
  readonly module: string;
  readonly name: string;
  /** What it is called here where the file uses the name for something else. */
  readonly otherwise: string;
  readonly isType: boolean;
}

/** What the names are called in the file, in their order, and what has to be added to it for that. */
export function importsFor(
  file: SourceFile,
  wanted: readonly Wanted[],
  style: Style,
): { names: readonly string[]; edits: readonly Edit[] } {
  const names: string[] = [];
  const missing = new Map<string, string[]>();
  const edits: Edit[] = [];
  for (const one of wanted) {
    const known = importedName(file, one);
    const local = known ?? (isTaken(file, one.name) ? one.otherwise : one.name);
    names.push(local);
    if (known !== null) continue;
    const written = local === one.name ? one.name : `${one.name} as ${local}`;
    const into = declarationsOf(file, one.module).find((declaration) => takes(declaration, one));
    const last = into?.getNamedImports().at(-1);
    if (into === undefined || last === undefined) {
      const key = `${one.isType ? "import type" : "import"} ${one.module}`;
      missing.set(key, [...(missing.get(key) ?? []), written]);
      continue;
    }
    const asType = one.isType && !into.isTypeOnly() ? "type " : "";
    const isBroken = /\n[ \t]*$/.test(file.getFullText().slice(0, last.getStart()));
    const gap = isBroken ? style.lineEnd + style.indent : " ";
    edits.push(added(last.getEnd(), `,${gap}${asType}${written}`));
  }
  const lines = [...missing].map(([key, list]) => {
    const module = key.replace(/^.* /, "");
    const start = key.slice(0, -module.length - 1);
    const braces = `{${style.pad}${list.join(", ")}${style.pad}}`;
    return {
      module,
      line: `${start} ${braces} from ${quotedText(module, style)}${style.semicolon}`,
    };
  });
  const sorted = lines.toSorted(({ module: a }, { module: b }) =>
    isFile(a) === isFile(b) ? Number(a > b) - Number(a < b) : Number(isFile(a)) - Number(isFile(b)),
  );
  return { names, edits: [...edits, ...newImports(file, sorted, style)] };
}

function declarationsOf(file: SourceFile, module: string): readonly ImportDeclaration[] {
  return file
    .getImportDeclarations()
    .filter((declaration) => declaration.getModuleSpecifierValue() === module);
}

function takes(declaration: ImportDeclaration, { isType }: Wanted): boolean {
  return declaration.getNamedImports().length > 0 && (isType || !declaration.isTypeOnly());
}

function importedName(file: SourceFile, { module, name, isType }: Wanted): string | null {
  for (const declaration of declarationsOf(file, module)) {
    for (const specifier of declaration.getNamedImports()) {
      const onlyType = declaration.isTypeOnly() || specifier.isTypeOnly();
      if (specifier.getName() === name && (isType || !onlyType)) {
        return specifier.getAliasNode()?.getText() ?? name;
      }
    }
  }
  return null;
}

/** Whether the name means something in the file, other than a member of an object. */
export function isTaken(file: SourceFile, name: string): boolean {
  return file.getDescendantsOfKind(SyntaxKind.Identifier).some((one) => {
    const parent = one.getParent();
    const isMember =
      (Node.isPropertyAccessExpression(parent) || Node.isPropertyAssignment(parent)) &&
      parent.getNameNode() === one;
    return one.getText() === name && !isMember;
  });
}

interface NewImport {
  readonly module: string;
  readonly line: string;
}

/** Imports of their own; where there are none as yet, before everything else but the comments at the top. */
function newImports(file: SourceFile, lines: readonly NewImport[], style: Style): readonly Edit[] {
  const there = file.getImportDeclarations();
  if (there.length > 0 || lines.length === 0) {
    return lines.map((line) => newImport(file, there, line, style));
  }
  const [statement] = file.getStatements();
  const at = statement === undefined ? file.getEnd() : blockStart(statement);
  const block = lines.map(({ line }) => line + style.lineEnd).join("");
  return [added(at, block + style.lineEnd)];
}

/** Behind those of packages, or before those of files. */
function newImport(
  file: SourceFile,
  there: readonly ImportDeclaration[],
  { module, line }: NewImport,
  style: Style,
): Edit {
  const like = there.filter((one) => isFile(module) || !isFile(one.getModuleSpecifierValue()));
  const before = like.at(-1);
  if (before !== undefined) return addedBelow(before, line, style);
  const [first] = there;
  if (first !== undefined && blockStart(first) === first.getStart()) {
    return added(first.getStart(), line + style.lineEnd);
  }
  return addedBelow(there.at(-1) ?? file, line, style);
}

function isFile(module: string): boolean {
  return module.startsWith(".");
}
