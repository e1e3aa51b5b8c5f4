import { Node, type SourceFile, SyntaxKind } from "ts-morph";

/** How a file is formatted. */
export interface Style {
  readonly lineEnd: "\n" | "\r\n";
  readonly quote: '"' | "'";
  /** `;`, or nothing. */
  readonly semicolon: "" | ";";
  /** One step. */
  readonly indent: string;
  /** After the last member of an object of several lines: `,`, or nothing. */
  readonly lastComma: "" | ",";
  /** Inside the braces of an object on one line. */
  readonly pad: "" | " ";
}

/** As `init` writes. */
export const usualStyle: Style = {
  lineEnd: "\n",
  quote: '"',
  semicolon: ";",
  indent: "  ",
  lastComma: ",",
  pad: " ",
};

/** How the author writes, as far as the file shows it; otherwise as `init` writes. */
export function styleOf(file: SourceFile): Style {
  const text = file.getFullText();
  return {
    lineEnd: isMost(text.match(/\r\n/g), text.match(/(?<!\r)\n/g)) ? "\r\n" : "\n",
    quote: isMost(quoted(file, "'"), quoted(file, '"')) ? "'" : '"',
    semicolon: isMost(statements(file, false), statements(file, true)) ? "" : ";",
    indent: indentOf(text),
    lastComma: isMost(objects(file, false), objects(file, true)) ? "" : ",",
    pad: isMost(text.match(/\{(?=[\w"'])/g), text.match(/\{ (?=[\w"'])/g)) ? "" : " ",
  };
}

/** Lines of the text as one of the file, each after the indentation of what is around it. */
export function linesAt(lines: readonly string[], around: string, { lineEnd }: Style): string {
  return lines.map((line) => (line === "" ? "" : around + line)).join(lineEnd);
}

/** A text in the file's quotes. */
export function quotedText(text: string, { quote }: Pick<Style, "quote">): string {
  return quote + text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`) + quote;
}

function isMost(some: readonly unknown[] | null, others: readonly unknown[] | null): boolean {
  return (some?.length ?? 0) > (others?.length ?? 0);
}

function quoted(file: SourceFile, quote: string) {
  const texts = file.getDescendantsOfKind(SyntaxKind.StringLiteral);
  return texts.filter((one) => one.getText().startsWith(quote));
}

function statements(file: SourceFile, withSemicolon: boolean) {
  const ending = file
    .getStatements()
    .filter(
      (one) =>
        Node.isImportDeclaration(one) ||
        Node.isVariableStatement(one) ||
        Node.isExpressionStatement(one),
    );
  return ending.filter((one) => one.getText().endsWith(";") === withSemicolon);
}

function objects(file: SourceFile, withComma: boolean) {
  return file
    .getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression)
    .filter((one) => one.getProperties().length > 0 && /\n[ \t]*\}$/.test(one.getText()))
    .filter(({ compilerNode }) => compilerNode.properties.hasTrailingComma === withComma);
}

/** The step that most lines are further in than the line before; lines of block comments do not count. */
function indentOf(text: string): string {
  const counts = new Map<string, number>();
  let before = "";
  for (const line of text.split(/\r?\n/)) {
    const [, space = "", rest = ""] = /^([ \t]*)(.*)$/.exec(line) ?? [];
    if (rest === "" || rest.startsWith("*")) continue;
    if (space.length > before.length && space.startsWith(before)) {
      const step = space.slice(before.length);
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
    before = space;
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? "  ";
}
