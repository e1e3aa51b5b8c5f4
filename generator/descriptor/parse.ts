import { Composer, type Document, Lexer, LineCounter, Parser, type YAMLParseError } from "yaml";
import type { Problem } from "../problem.js";
import { type Converted, convert } from "./convert.js";
import type { DescriptorFile } from "./find.js";

/**
 * The YAML (or JSON, which is YAML) of one descriptor as plain values with their places. Where it
 * does not parse, the value is null and only that is reported: what follows from it would be noise.
 */
export function parseDescriptor({ path, text }: DescriptorFile): Converted {
  const lines = new LineCounter();
  const source = { file: path, places: new Map() };
  const content = text.replace(/^\uFEFF/, "");
  const report = (offset: number, message: string, hint: string | null): Problem => {
    const { line, col } = lines.linePos(offset);
    return { file: path, line, column: col, message, hint };
  };
  const documents = composeDocuments(content, lines);
  if (typeof documents === "number") {
    const message = `values are nested more than ${mostLevels} levels deep`;
    return { value: null, source, problems: [report(documents, message, null)] };
  }
  const language = path.endsWith(".json") ? "JSON" : "YAML";
  const problems = [
    ...syntaxProblems(documents, language, report),
    ...lostCharacters(content, report),
  ];
  const [document] = documents;
  if (document === undefined || problems.length > 0) {
    return { value: null, source, problems };
  }
  return convert(document, lines, path);
}

/** A descriptor's own language ends at five. */
const mostLevels = 64;

type Report = (offset: number, message: string, hint: string | null) => Problem;

/**
 * The documents, or the offset at which the text is nested too deeply: the composer is recursive, and
 * a stack that overflows inside one of its regular expressions ends the whole process.
 */
function composeDocuments(text: string, lines: LineCounter): readonly Document.Parsed[] | number {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > mostLevels) {
      return parser.offset;
    }
  }
  tokens.push(...parser.end());
  const composer = new Composer({
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    schema: "core",
    resolveKnownTags: false,
  });
  return [...composer.compose(tokens, true, text.length)];
}

function syntaxProblems(
  documents: readonly Document.Parsed[],
  language: "JSON" | "YAML",
  report: Report,
): readonly Problem[] {
  const problems = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ code, message, pos }) =>
      report(pos[0], `this is not valid ${language}: ${message}`, hints[code] ?? null),
    ),
  );
  const [, second] = documents;
  if (second === undefined) {
    return problems;
  }
  const message = "a descriptor is one document, and another one begins here";
  const hint = "move what follows --- to a file of its own";
  return [...problems, report(second.range[0], message, hint)];
}

const hints: Partial<Record<YAMLParseError["code"], string>> = {
  BAD_SCALAR_START: "put the text in quotes",
  BLOCK_AS_IMPLICIT_KEY: "put a text with a colon in quotes",
  MULTILINE_IMPLICIT_KEY: "a colon needs a space after it",
  TAB_AS_INDENT: "indent with spaces",
  TAG_RESOLVE_FAILED: "descriptors have no tags: remove the word that begins with !",
};

/** A decoder puts U+FFFD where the bytes are not UTF-8. */
function lostCharacters(text: string, report: Report): readonly Problem[] {
  const offset = text.indexOf("\uFFFD");
  const message = "this file is not UTF-8, or lost a character when it was saved";
  return offset < 0 ? [] : [report(offset, message, "save it as UTF-8 again")];
}
