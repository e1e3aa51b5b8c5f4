import { type Document, LineCounter } from "yaml";
import { composeDocuments } from "./compose.js";
import { type Converted, convert } from "./convert.js";
import type { YamlMistake } from "./mistake.js";
import type { Position } from "./position.js";

/**
 * Parses YAML (or JSON, which is YAML) to plain values with their positions. If the syntax is invalid, there is a
 * second document, or the nesting is too deep, the value is null and only that mistake is reported. Tags are ignored,
 * but reported.
 */
export function readYaml(text: string): Converted {
  const content = text.replace(/^\uFEFF/, "");
  const lines = new LineCounter();
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };

  const documents = composeDocuments(content, lines);
  if (typeof documents === "number") {
    return nothing([{ ...positionOf(documents), kind: "too deep" }]);
  }
  const [document, second] = documents;
  const shift = text.length - content.length;
  const mistakes = documents.flatMap((one) => notationMistakes(one, positionOf, shift));
  if (second !== undefined) {
    mistakes.push({ ...positionOf(second.range[0]), kind: "second document" });
  }
  if (document === undefined || mistakes.some(preventsReading)) {
    return nothing(mistakes.filter(preventsReading));
  }
  const converted = convert(document, positionOf);
  return { ...converted, mistakes: [...mistakes, ...converted.mistakes] };
}

function nothing(mistakes: readonly YamlMistake[]): Converted {
  return { value: null, unknown: new Set(), positions: new Map(), mistakes };
}

function notationMistakes(
  { errors, warnings }: Document.Parsed,
  positionOf: (offset: number) => Position,
  shift: number,
): YamlMistake[] {
  return [...errors, ...warnings].map(({ name, code, message, pos: [start] }) => ({
    ...positionOf(start),
    kind: "notation",
    code,
    message,
    isWarning: name === "YAMLWarning",
    offset: start + shift,
  }));
}

/** Whether the mistake means that values are missing or wrong. */
function preventsReading(mistake: YamlMistake): boolean {
  return mistake.kind !== "notation" || !(mistake.isWarning || mistake.code === ignoredTag);
}

/** The parser's code for a tag that it ignored. */
const ignoredTag = "TAG_RESOLVE_FAILED";
