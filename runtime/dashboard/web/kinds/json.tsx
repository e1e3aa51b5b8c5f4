import type { Field } from "../api/client/types.js";
import { formDefaults, type Parsed, parsedAs, parsing, problem } from "./form-rules.js";
import { type CellProps, cell, kind, kindDefaults } from "./kind.js";
import { Blank, isBlank } from "./value/blank.js";
import { compactText, placed, prettyText, readJson, schemaIssues } from "./value/json-text.js";

/** Maximum number of characters of a value in a cell. */
const shownLength = 80;

/** Maximum number of characters of a value in the cell's tooltip. */
const hintLength = 1_000;

function Summary({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  const text = compactText(value);
  return (
    <bdi className="mono" title={text.slice(0, hintLength)}>
      {text.length > shownLength ? `${text.slice(0, shownLength)}…` : text}
    </bdi>
  );
}

function parse(field: Field, typed: string): Parsed {
  const read = readJson(typed);
  if (!("value" in read)) return problem(read.message, null);
  const [issue] = schemaIssues(field, read.value);
  return issue === undefined ? parsedAs(read.value) : problem(placed(issue), null);
}

function isSame(_: Field, one: string, other: string): boolean {
  if (one.trim() === other.trim()) return true;
  const [first, second] = [one, other].map(readJson);
  if (first === undefined || second === undefined) return false;
  if (!("value" in first) || !("value" in second)) return false;
  return compactText(first.value) === compactText(second.value);
}

/** Any JSON value, edited as text; lists neither filter nor sort by it. */
export const json = kind({
  ...kindDefaults,
  cell: Summary,
  print: (_, value) => (isBlank(value) ? "" : compactText(value)),
  words: compactText,
  filter: null,
  isSortable: false,
  isInPlace: false,
  isShown: false,
  form: {
    ...formDefaults,
    input: "code",
    typed: (value) => (isBlank(value) ? "" : prettyText(value)),
    parse: (field, typed) => parsing(parse)(field, typed.trim()),
    compare: isSame,
    width: () => "whole",
    isProse: true,
  },
  readCell: (_, text) => {
    const read = readJson(text);
    return "value" in read ? cell(read.value, null) : cell(null, read.message);
  },
});
