import { didYouMean } from "../../runtime/values/nearest.js";
import type { Problem } from "../../runtime/values/problem.js";
import { maxValues } from "../../runtime/values/yaml/convert.js";
import type { YamlMistake } from "../../runtime/values/yaml/mistake.js";

/** Converts a YAML mistake in a descriptor to a message for its author. */
export function notationProblem(file: string, mistake: YamlMistake): Problem {
  const { line, column } = mistake;
  const language = file.endsWith(".json") ? "JSON" : "YAML";
  return { file, line, column, ...wordsOf(mistake, language) };
}

interface Words {
  readonly message: string;
  readonly hint: string;
}

function wordsOf(mistake: YamlMistake, language: "JSON" | "YAML"): Words {
  switch (mistake.kind) {
    case "notation": {
      const { code, message } = mistake;
      const isTag = code === "TAG_RESOLVE_FAILED";
      return {
        message: isTag
          ? "a descriptor cannot use YAML tags"
          : `this is not valid ${language}: ${message}`,
        hint: hints[code],
      };
    }
    case "second document":
      return {
        message: "a descriptor must be a single document, and a second one begins here",
        hint: hints.MULTIPLE_DOCS,
      };
    case "too deep":
      return {
        message: "values are nested too deeply",
        hint: "a descriptor is at most five levels deep: close the brackets that are left open",
      };
    case "too large":
      return tooLarge(mistake.alias);
    case "complex key":
      return {
        message: "a key must be a plain word",
        hint: "write it like name: { type: string }; put quotes around a text that begins with { or [",
      };
    case "repeated key":
      return {
        message: `"${mistake.name}" appears twice`,
        hint: `it is already on line ${mistake.first}: keep one`,
      };
    case "no anchor":
      return {
        message: `there is no anchor "&${mistake.name}" above this alias`,
        hint:
          didYouMean(mistake.name, mistake.anchors) ??
          `put &${mistake.name} before the value that it stands for, or write that value here`,
      };
    case "endless alias":
      return {
        message: `the alias "*${mistake.name}" is inside "&${mistake.name}" itself`,
        hint: "write the value out",
      };
  }
}

function tooLarge(alias: string | null): Words {
  const max = maxValues.toLocaleString("en");
  return alias === null
    ? {
        message: `this descriptor has more than ${max} values`,
        hint: "split it into several resources that link to each other",
      }
    : {
        message: `the alias "*${alias}" expands this descriptor to more than ${max} values`,
        hint: `write out what you need of "&${alias}", without aliases inside aliases`,
      };
}

type NotationCode = Extract<YamlMistake, { kind: "notation" }>["code"];

const indentation =
  "close every bracket that is open, and indent the keys of one map by the same number of spaces";
const oneOfThem = "keep one of them";
const plainKey = "write a short name before the colon, such as name: { type: string }";

const hints: Readonly<Record<NotationCode, string>> = {
  ALIAS_PROPS: "write the alias alone, such as *short",
  BAD_ALIAS:
    "write the name of an anchor after *, such as *short; a text that begins with * or & needs quotes",
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
  MULTILINE_IMPLICIT_KEY: "put a space after a colon, and quotes around a text of several lines",
  MULTIPLE_ANCHORS: oneOfThem,
  MULTIPLE_DOCS: "move what follows --- to a separate file",
  MULTIPLE_TAGS: "remove the words that begin with !",
  NON_STRING_KEY: plainKey,
  RESOURCE_EXHAUSTION: "split the file into several resources",
  TAB_AS_INDENT: "indent with spaces",
  TAG_RESOLVE_FAILED: "remove the word that begins with !",
  UNEXPECTED_TOKEN: "remove it, or put the text that it belongs to in quotes",
};
