import { IndentationText, NewLineKind, QuoteKind, type SourceFile, SyntaxKind } from "ts-morph";

/** Makes ts-morph write in the file's style, or in the style of `init` where that cannot be inferred. */
export function writeLike(file: SourceFile) {
  const text = file.getFullText();
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const objects = file
    .getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression)
    .filter((one) => one.getProperties().length > 0 && /\n\s*\}$/.test(one.getText()));
  const bare = objects.filter((one) => !one.compilerNode.properties.hasTrailingComma);
  const comma = 2 * bare.length <= objects.length ? "," : "";
  const [first] = file.getDescendantsOfKind(SyntaxKind.StringLiteral);
  const quote = first?.getText().startsWith("'") ? QuoteKind.Single : QuoteKind.Double;
  const step = /^(\t| {8}| {4}| {2})(?=[^\s*])/m.exec(text)?.[1];
  const [indent = IndentationText.TwoSpaces] = Object.values(IndentationText).filter(
    (one) => one === step,
  );
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const semicolon = /;[ \t]*\r?$/m.test(text) ? ";" : "";
  // Infers whether one-line objects have spaces inside their braces.
  const pad = count(/\{[\w"']/g) > count(/\{ [\w"']/g) ? "" : " ";
  file.getProject().manipulationSettings.set({
    newLineKind: lineEnd === "\n" ? NewLineKind.LineFeed : NewLineKind.CarriageReturnLineFeed,
    quoteKind: quote,
    indentationText: indent,
    useTrailingCommas: comma === ",",
    insertSpaceAfterOpeningAndBeforeClosingNonemptyBraces: pad === " ",
  });
  // Converts code in the style of `init` to the file's style.
  const like = (code: string) =>
    code
      .replace(/,(?=\n *\})/g, comma)
      .replace(/;$/gm, semicolon)
      .replace(/^(?: {2})+/gm, (spaces) => indent.repeat(spaces.length / 2))
      .replace(/^(?!\s*\/\/).*/gm, (line) => line.replaceAll('"', quote))
      .replaceAll("\n", lineEnd);
  return { semicolon, pad, like };
}

export type Style = ReturnType<typeof writeLike>;
