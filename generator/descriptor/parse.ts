import { Composer, type Document, Lexer, LineCounter, Parser, type YAMLParseError } from "yaml";
import { mergeMarkers } from "../../runtime/values/merge-markers.js";
import type { Problem } from "../../runtime/values/problem.js";
import { type Converted, convert, maxLevels, tooDeep } from "./convert.js";
import type { DescriptorFile } from "./find.js";

/**
 * Parses the YAML (or JSON, which is YAML) of one descriptor into plain values with their positions.
 * If it does not parse, the value is null and only that is reported: its consequences would be noise.
 */
export function parseDescriptor({ path, text }: DescriptorFile): Converted {
  const lines = new LineCounter();
  const source = { file: path, positions: new Map() };
  const content = text.replace(/^\uFEFF/, "");
  const markers = mergeMarkers(path, content);
  if (markers !== null) {
    return { value: null, unknown: new Set(), source, problems: [markers] };
  }
  const report = (offset: number, message: string, hint: string): Problem => {
    const { line, col } = lines.linePos(offset);
    return { file: path, line, column: col, message, hint };
  };
  const documents = composeDocuments(content, lines);
  if (typeof documents === "number") {
    const { message, hint } = tooDeep;
    return {
      value: null,
      unknown: new Set(),
      source,
      problems: [report(documents, message, hint)],
    };
  }
  const language = path.endsWith(".json") ? "JSON" : "YAML";
  const problems = [
    ...syntaxProblems(documents, language, report),
    ...lostCharacters(content, report),
  ];
  const [document] = documents;
  if (document === undefined || problems.length > 0) {
    return { value: null, unknown: new Set(), source, problems };
  }
  const converted = convert(document, lines, path);
  return { ...converted, problems: [...tagProblems(document, report), ...converted.problems] };
}

/** The parser holds at most two open nodes for each level of maps and lists in block style. */
const maxOpenNodes = 2 * maxLevels;

type Report = (offset: number, message: string, hint: string) => Problem;

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
    if (parser.stack.length > maxOpenNodes) {
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
    [...errors, ...warnings]
      .filter(({ code }) => code !== tag)
      .map(({ code, message, pos }) =>
        report(pos[0], `this is not valid ${language}: ${message}`, hints[code]),
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

const tag = "TAG_RESOLVE_FAILED";

/** The problems of tags; their values are read as they are written, so that the file can be checked. */
function tagProblems({ errors, warnings }: Document.Parsed, report: Report): readonly Problem[] {
  return [...errors, ...warnings]
    .filter(({ code }) => code === tag)
    .map(({ pos }) => report(pos[0], "a descriptor cannot use tags", hints[tag]));
}

const indentation =
  "close every bracket that is open, and indent the keys of one map by the same number of spaces";
const oneOfThem = "keep one of them";
const plainKey = "write a short name before the colon, such as name: { type: string }";

const hints: Readonly<Record<YAMLParseError["code"], string>> = {
  ALIAS_PROPS: "write the alias alone, such as *short",
  BAD_ALIAS:
    "write the name of an anchor behind *, such as *short; a text that begins with * or & needs quotes",
  BAD_COLLECTION_TYPE: "remove the word that begins with !",
  BAD_DIRECTIVE: "remove the line that begins with %",
  BAD_DQ_ESCAPE: "write \\\\ for a backslash, or put the text in single quotes",
  BAD_INDENT: indentation,
  BAD_PROP_ORDER: "write the anchor before the value, such as name: &short { type: string }",
  BAD_SCALAR_START: "put the text in quotes",
  BLOCK_AS_IMPLICIT_KEY: "put a text with a colon in quotes",
  BLOCK_IN_FLOW: "inside { } and [ ] write the rest on one line, without dashes and indented keys",
  DUPLICATE_KEY: oneOfThem,
  IMPOSSIBLE: indentation,
  KEY_OVER_1024_CHARS: plainKey,
  MISSING_CHAR: "close every bracket and quote that is open here, and put a comma between entries",
  MULTILINE_IMPLICIT_KEY: "a colon needs a space after it, and a text of several lines quotes",
  MULTIPLE_ANCHORS: oneOfThem,
  MULTIPLE_DOCS: "move what follows --- to a file of its own",
  MULTIPLE_TAGS: "remove the words that begin with !",
  NON_STRING_KEY: plainKey,
  RESOURCE_EXHAUSTION: "split the file into several resources",
  TAB_AS_INDENT: "indent with spaces",
  TAG_RESOLVE_FAILED: "remove the word that begins with !",
  UNEXPECTED_TOKEN: "remove it, or put the text that it belongs to in quotes",
};

/** A problem if the text has U+FFFD, which decoders write for bytes that are not UTF-8. */
function lostCharacters(text: string, report: Report): readonly Problem[] {
  const offset = text.indexOf("\uFFFD");
  const message = "this file is not UTF-8, or lost a character when it was saved";
  return offset < 0 ? [] : [report(offset, message, "save it as UTF-8 again")];
}
