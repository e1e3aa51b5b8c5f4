import { mergeMarkerLine, mergeMarkersMessage } from "../../values/merge-markers.js";
import type { Problem } from "../../values/problem.js";
import type { YamlMistake } from "../../values/yaml/mistake.js";
import { file } from "./text.js";

/** Returns the problem of a file with merge conflict markers; null if it has none. */
export function conflictProblem(text: string): Problem | null {
  const line = mergeMarkerLine(text);
  if (line === null) return null;
  const hint = "keep what you need from both sides and delete the marker lines";
  return { file, line, column: 1, message: mergeMarkersMessage, hint };
}

/** Returns the YAML errors in `service.yaml`, except those caused by unquoted variables. */
export function notationProblems(
  mistakes: readonly YamlMistake[],
  text: string,
): readonly Problem[] {
  const errors = mistakes.filter((mistake) => mistake.kind !== "notation" || !mistake.isWarning);
  const unquoted = errors.flatMap((mistake) => unquotedVariable(mistake, text) ?? []);
  return unquoted.length > 0 ? unquoted : errors.map(problemOf);
}

/** Returns the problem of an unquoted variable: inside braces and brackets, `${` begins a map. */
function unquotedVariable(mistake: YamlMistake, text: string): Problem | null {
  if (mistake.kind !== "notation") return null;
  const start = mistake.offset - 1;
  const [written, name] = /^\$\{(\w*)/.exec(text.slice(Math.max(start, 0))) ?? [];
  if (written === undefined) return null;
  const brackets = mistake.message.includes("flow sequence") ? "[ ]" : "{ }";
  return {
    file,
    line: mistake.line,
    column: mistake.column - 1,
    message: `a variable inside ${brackets} needs quotes`,
    hint: `put \${${name}} in quotes inside ${brackets}`,
  };
}

/** Returns a problem whose message quotes only names from the file: its values may be passwords. */
function problemOf(mistake: YamlMistake): Problem {
  const { line, column } = mistake;
  return { file, line, column, message: messageOf(mistake), hint: null };
}

function messageOf(mistake: YamlMistake): string {
  switch (mistake.kind) {
    case "notation":
      return mistake.message.replace(/: ".*$/s, "");
    case "second document":
      return "service.yaml must be a single document, and a second one begins here";
    case "too deep":
      return "values are nested too deeply";
    case "too large":
      return mistake.alias === null
        ? "service.yaml has too many values"
        : `the alias "*${mistake.alias}" expands to too many values`;
    case "complex key":
      return "a key must be a plain word";
    case "repeated key":
      return "Map keys must be unique";
    case "no anchor":
      return `There is no anchor named "${mistake.name}" above`;
    case "endless alias":
      return `the alias "*${mistake.name}" is inside "&${mistake.name}" itself`;
  }
}
