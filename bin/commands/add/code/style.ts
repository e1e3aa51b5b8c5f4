import {
  IndentationText,
  NewLineKind,
  Node,
  QuoteKind,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";

/** How a file is formatted. */
export interface Style {
  readonly lineEnd: string;
  readonly quote: string;
  /** One step. */
  readonly indent: string;
  /** `;`, or nothing. */
  readonly semicolon: "" | ";";
  /** Inside the braces of an object on one line. */
  readonly pad: "" | " ";
}

/** As `init` writes. */
export const usualStyle: Style = {
  lineEnd: "\n",
  quote: '"',
  indent: "  ",
  semicolon: ";",
  pad: " ",
};

/** Has ts-morph write as the author of the file does, as far as the file shows it; otherwise as `init` does. */
export function writeLike(file: SourceFile): Style {
  const text = file.getFullText();
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const quotes = file.getDescendantsOfKind(SyntaxKind.StringLiteral).map((one) => one.getText()[0]);
  const objects = file
    .getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression)
    .filter((one) => one.getProperties().length > 0 && /\n[ \t]*\}$/.test(one.getText()))
    .map(({ compilerNode }) => compilerNode.properties.hasTrailingComma === true);
  const ends = file
    .getStatements()
    .filter(
      (one) =>
        Node.isImportDeclaration(one) ||
        Node.isVariableStatement(one) ||
        Node.isExpressionStatement(one),
    )
    .map((one) => one.getText().endsWith(";"));
  const pad = count(/\{(?=[\w"'])/g) > count(/\{ (?=[\w"'])/g) ? "" : " ";
  const settings = file.getProject().manipulationSettings;
  settings.set({
    newLineKind:
      2 * count(/\r\n/g) > count(/\n/g) ? NewLineKind.CarriageReturnLineFeed : NewLineKind.LineFeed,
    quoteKind: isMostly(quotes, "'") ? QuoteKind.Single : QuoteKind.Double,
    indentationText: indentationOf(text),
    useTrailingCommas: !isMostly(objects, false),
    insertSpaceAfterOpeningAndBeforeClosingNonemptyBraces: pad === " ",
  });
  return {
    lineEnd: settings.getNewLineKindAsString(),
    quote: settings.getQuoteKind(),
    indent: settings.getIndentationText(),
    semicolon: isMostly(ends, false) ? "" : ";",
    pad,
  };
}

function isMostly<One>(all: readonly One[], wanted: One): boolean {
  return 2 * all.filter((one) => one === wanted).length > all.length;
}

function indentationOf(text: string): IndentationText {
  if (/^\t/m.test(text)) return IndentationText.Tab;
  const least = Math.min(...(text.match(/^ +(?=[^ *])/gm) ?? []).map((spaces) => spaces.length));
  if (least === 4) return IndentationText.FourSpaces;
  return least === 8 ? IndentationText.EightSpaces : IndentationText.TwoSpaces;
}
