import type { Field } from "../api/client/types.js";
import { asItIs, inputOf, PlainWords } from "./filter/filter-controls.js";
import { type CellProps, kind } from "./kind.js";
import { Blank, isBlank, plain } from "./value/blank.js";

/** Characters of a long text that a list fetches: more than a cell shows. */
const shownLength = 200;

export function Words({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  return <bdi title={String(value)}>{String(value)}</bdi>;
}

/** Fetches only the beginning where a value can be longer. */
export function beginning({
  name,
  maxLength = Number.POSITIVE_INFINITY,
}: Field): readonly string[] {
  return [maxLength > shownLength * 2 ? `${name}:${shownLength}` : name];
}

export const string = kind({
  cell: Words,
  print: (_, value) => plain(value),
  filter: {
    operators: ["contains", "eq", "ne", "starts", "ends"],
    accepts: (_, value) => [...value].length <= shownLength,
    words: PlainWords,
    choice: inputOf("text"),
    suited: asItIs,
    typing: null,
    since: null,
    within: null,
  },
  isSortable: true,
  isAtEnd: false,
  isPicture: false,
  asks: beginning,
  isShown: true,
});
