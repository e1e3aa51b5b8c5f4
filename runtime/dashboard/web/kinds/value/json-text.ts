import { schemaValidator } from "../../../../values/json-schema/validate.js";
import { jsonFaults } from "../../../../values/stored-json/faults.js";
import { type JsonIssue, storedJsonIssues } from "../../../../values/stored-json/rules.js";
import type { Field } from "../../api/client/types.js";
import { enJson } from "../../text/en/kinds.js";

/** Formats a value on one line. */
export function compactText(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

/** Formats a value with line breaks, for an editor. */
export function prettyText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

type Read = { readonly value: unknown } | { readonly message: string };

/** Parses a JSON text; an error message names the line, or the path in the value. */
export function readJson(text: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { message: syntaxMessage(text, error) };
  }
  const [fault] = jsonFaults(text);
  if (fault !== undefined) {
    return { message: enJson.atLine(lineOf(text, fault.offset), fault.message) };
  }
  const [issue] = storedJsonIssues(value);
  return issue === undefined ? { value } : { message: placed(issue) };
}

/** Schemas whose values only the server can validate: it matches patterns in linear time. */
const isJudgedByPattern =
  /"patternProperties"|"pattern".*"(?:not|oneOf|if|contains)"|"(?:not|oneOf|if|contains)".*"pattern"/;

/** The errors of a value according to the field's schema, except texts that do not match a pattern. */
export function schemaIssues({ schema }: Field, value: unknown): readonly JsonIssue[] {
  if (schema === undefined || isJudgedByPattern.test(JSON.stringify(schema))) return [];
  return schemaValidator(schema, () => true)(value);
}

export function placed({ path, message }: JsonIssue): string {
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

/** Browsers report the position of a syntax error in different words, or not at all. */
function syntaxMessage(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const line = /line (\d+)/.exec(message)?.[1];
  const position = /position (\d+)/.exec(message)?.[1];
  if (line !== undefined) return enJson.atLine(Number(line), enJson.syntax);
  if (position !== undefined) return enJson.atLine(lineOf(text, Number(position)), enJson.syntax);
  return /end of/i.test(message) ? enJson.unfinished : enJson.syntax;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
