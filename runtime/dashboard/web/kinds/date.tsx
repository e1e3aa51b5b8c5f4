import { dayOf, isDay, nameOfDay } from "../text/format.js";
import { asItIs, inputOf } from "./filter/filter-controls.js";
import { type CellProps, type FilterWordsProps, kind } from "./kind.js";
import { Blank, isBlank, plain } from "./value/blank.js";

/** A date is not a point in time: it is the same day in every zone. */
function Day({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  return <time dateTime={String(value)}>{nameOfDay(String(value))}</time>;
}

function Words({ value }: FilterWordsProps) {
  return <>{nameOfDay(value)}</>;
}

export const date = kind({
  cell: Day,
  print: (_, value) => plain(value),
  filter: {
    operators: ["days", "eq", "gte", "lte", "ne"],
    accepts: (_, value) => isDay(value),
    words: Words,
    choice: inputOf("date"),
    suited: asItIs,
    typing: null,
    since: (days) => dayOf(days).date,
    within: null,
  },
  isSortable: true,
  isAtEnd: false,
  isPicture: false,
  asks: ({ name }) => [name],
  isShown: true,
});
