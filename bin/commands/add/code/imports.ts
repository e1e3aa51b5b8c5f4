import { Node, type SourceFile, SyntaxKind } from "ts-morph";
import { commentedStart } from "./statements.js";
import type { Style } from "./style.js";

/** A name that the code to add needs. */
export interface Wanted {
  readonly module: string;
  readonly name: string;
  /** What it is called here where the file uses the name for something else. */
  readonly otherwise: string;
  readonly isType: boolean;
}

/** The imports of a file, to which others are added. */
export interface Imports {
  /** What the name is called in the file; it is imported if it is not yet. */
  nameOf(wanted: Wanted): string;
  /** Writes those that are declarations of their own; the nodes of the file are forgotten. */
  write(): void;
}

export function importsOf(file: SourceFile, { quote, lineEnd, pad, semicolon }: Style): Imports {
  const missing = new Map<string, { readonly module: string; readonly line: string }>();

  function nameOf({ module, name, otherwise, isType }: Wanted): string {
    const like = file
      .getImportDeclarations()
      .filter((one) => one.getModuleSpecifierValue() === module && (isType || !one.isTypeOnly()));
    const known = like
      .flatMap((one) => one.getNamedImports())
      .find((one) => one.getName() === name && (isType || !one.isTypeOnly()));
    if (known !== undefined) return known.getAliasNode()?.getText() ?? name;
    const local = isTaken(file, name) ? otherwise : name;
    const into = like.find((one) => one.getNamedImports().length > 0);
    if (into === undefined) {
      const named = `{${pad}${local === name ? name : `${name} as ${local}`}${pad}}`;
      const start = isType ? "import type" : "import";
      const line = `${start} ${named} from ${quote}${module}${quote}${semicolon}`;
      missing.set(`${module} ${name}`, { module, line });
    } else {
      const isTypeOnly = isType && !into.isTypeOnly();
      into.addNamedImport({ name, isTypeOnly, ...(local !== name && { alias: local }) });
    }
    return local;
  }

  /** Behind those of packages, or of files; where there are none as yet, below the comments at the top. */
  function insert(module: string, line: string): void {
    const all = file.getImportDeclarations();
    const [first] = all;
    const like = all.findLast((one) => isFile(module) || !isFile(one.getModuleSpecifierValue()));
    if (first === undefined) {
      const [statement] = file.getStatements();
      const at = statement === undefined ? file.getEnd() : commentedStart(statement);
      file.insertText(at, line + lineEnd + lineEnd);
    } else if (like === undefined && commentedStart(first) === first.getStart()) {
      file.insertText(first.getStart(), line + lineEnd);
    } else {
      const before = like ?? all.at(-1) ?? first;
      file.insertText(before.getTrailingTriviaEnd(), lineEnd + line);
    }
  }

  return {
    nameOf,
    write() {
      for (const { module, line } of missing.values()) insert(module, line);
    },
  };
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

function isFile(module: string): boolean {
  return module.startsWith(".");
}
