import type { Problem } from "../../values/problem.js";
import type { YamlMistake } from "../../values/yaml/mistake.js";

/** Converts a mistake in the YAML of a seed file to a message for its author. */
export function notationProblem(file: string, mistake: YamlMistake): Problem {
  const { line, column } = mistake;
  return { file, line, column, ...wordsOf(mistake) };
}

function wordsOf(mistake: YamlMistake): Pick<Problem, "message" | "hint"> {
  switch (mistake.kind) {
    case "notation":
      return { message: `this is not valid YAML: ${mistake.message}`, hint: null };
    case "second document":
      return { message: "another document begins here", hint: "remove the line with ---" };
    case "too deep":
      return {
        message: "values are nested too deeply",
        hint: "close the brackets that are left open",
      };
    case "too large":
      return {
        message: "this file has too many values",
        hint: "import this many records with: npx service import",
      };
    case "complex key":
      return { message: "a key must be a plain word", hint: null };
    case "repeated key":
      return {
        message: `"${mistake.name}" appears twice`,
        hint: `it is already on line ${mistake.first}: keep one`,
      };
    case "no anchor":
      return { message: `there is no anchor "&${mistake.name}" above this alias`, hint: null };
    case "endless alias":
      return {
        message: `the alias "*${mistake.name}" is inside "&${mistake.name}" itself`,
        hint: "replace the alias with the value",
      };
  }
}
