import type { Field } from "../api/client/types.js";
import { inputOf, PlainWords } from "./filter/filter-controls.js";
import { type CellProps, filterDefaults, kind, kindDefaults } from "./kind.js";
import { Blank, isBlank } from "./value/blank.js";
import { prose, readProse } from "./value/prose.js";
import { hrefOf, WebAddress } from "./value/web-address.js";

/** Maximum number of characters of a long text that a list fetches: more than a cell shows. */
const shownLength = 200;

export function Words({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  const href = hrefOf(field.format, String(value));
  if (href !== null) return <WebAddress href={href} value={String(value)} />;
  return <bdi title={String(value)}>{String(value)}</bdi>;
}

/** Fetches only the beginning if a value can be longer. */
export function beginning({
  name,
  maxLength = Number.POSITIVE_INFINITY,
}: Field): readonly string[] {
  return [maxLength > shownLength * 2 ? `${name}:${shownLength}` : name];
}

export const string = kind({
  ...kindDefaults,
  cell: Words,
  filter: {
    ...filterDefaults,
    operators: ["contains", "eq", "ne", "starts", "ends"],
    comparisons: "text",
    accepts: (_, value) => [...value].length <= shownLength,
    words: PlainWords,
    choice: inputOf({ type: "text" }),
  },
  asks: beginning,
  grouping: "texts",
  isHighlighted: true,
  form: {
    ...prose,
    input: "line",
    width: ({ maxLength = Number.POSITIVE_INFINITY, format }) =>
      maxLength <= 255 || format !== undefined ? "half" : "whole",
  },
  readCell: readProse(255),
});
