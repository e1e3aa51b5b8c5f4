import { Composer, type Document, Lexer, type LineCounter, Parser } from "yaml";

/** Maximum nesting depth: far more than a descriptor or `service.yaml` needs. */
export const maxLevels = 32;

/** Maximum number of open nodes in the parser, which has at most two for each level of block maps and lists. */
const maxOpenNodes = 2 * maxLevels;

/**
 * Parses the documents, or returns the offset at which the nesting is too deep. The composer is recursive, and a stack
 * overflow inside one of its regular expressions terminates the process.
 */
export function composeDocuments(
  text: string,
  lines: LineCounter,
): readonly Document.Parsed[] | number {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > maxOpenNodes) {
      return parser.offset;
    }
  }
  tokens.push(...parser.end());
  const composer = new Composer({
    lineCounter: lines,
    // Pretty errors quote the source, which may contain a password.
    prettyErrors: false,
    // Repeated keys are detected later, with the line of the first one.
    uniqueKeys: false,
    schema: "core",
    resolveKnownTags: false,
  });
  return [...composer.compose(tokens, true, text.length)];
}
