import { Composer, type Document, Lexer, type LineCounter, Parser } from "yaml";

/** Far more than a descriptor or `service.yaml` needs. */
export const maxLevels = 32;

/** The parser holds at most two open nodes for each level of maps and lists in block style. */
const maxOpenNodes = 2 * maxLevels;

/**
 * The documents, or the offset at which the text is nested too deeply: the composer is recursive, and
 * a stack that overflows inside one of its regular expressions ends the whole process.
 */
export function composeDocuments(
  text: string,
  lines: LineCounter,
): readonly Document.Parsed[] | number {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > maxOpenNodes) {
      return parser.offset;
    }
  }
  tokens.push(...parser.end());
  const composer = new Composer({
    lineCounter: lines,
    // These quote the source, which may hold a password.
    prettyErrors: false,
    // A repeated key is found later, with the line of the first.
    uniqueKeys: false,
    schema: "core",
    resolveKnownTags: false,
  });
  return [...composer.compose(tokens, true, text.length)];
}
