import { mergeMarkers } from "../../runtime/values/merge-markers.js";
import type { Problem } from "../../runtime/values/problem.js";
import type { Converted } from "../../runtime/values/yaml/convert.js";
import { readYaml } from "../../runtime/values/yaml/read.js";
import type { DescriptorFile } from "./find.js";
import { notationProblem } from "./notation.js";
import type { Source } from "./source.js";

/** The content of a descriptor; null, with a problem, if the file cannot be read. */
export interface Parsed extends Pick<Converted, "value" | "unknown"> {
  readonly source: Source;
  readonly problems: readonly Problem[];
}

/** Parses the YAML (or JSON, which is YAML) of one descriptor into plain values with their positions. */
export function parseDescriptor({ path: file, text }: DescriptorFile): Parsed {
  const spoilt = mergeMarkers(file, text) ?? lostCharacter(file, text);
  if (spoilt !== null) {
    const source = { file, positions: new Map() };
    return { value: null, unknown: new Set(), source, problems: [spoilt] };
  }
  const { value, unknown, positions, mistakes } = readYaml(text);
  const problems = mistakes.map((mistake) => notationProblem(file, mistake));
  return { value, unknown, source: { file, positions }, problems };
}

/** A problem if the text contains U+FFFD, which decoders insert for bytes that are not UTF-8. */
function lostCharacter(file: string, text: string): Problem | null {
  const [before = "", after] = text.replace(/^\uFEFF/, "").split("\uFFFD", 2);
  if (after === undefined) {
    return null;
  }
  const lines = before.split("\n");
  const column = (lines.at(-1)?.length ?? 0) + 1;
  const message = "this file is not UTF-8, or lost a character when it was saved";
  return { file, line: lines.length, column, message, hint: "save it as UTF-8 again" };
}
