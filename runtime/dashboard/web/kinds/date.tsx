import { dayOf, date as words } from "../text/format.js";
import { Blank, isBlank, plain } from "./blank.js";
import { inputOf } from "./filter-controls.js";
import { type CellProps, type FilterWordsProps, kind } from "./kind.js";

/** A date is not a point in time: it is the same day in every zone. */
function Day({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  return <time dateTime={String(value)}>{dayWords(String(value))}</time>;
}

function Words({ value }: FilterWordsProps) {
  return <>{dayWords(value)}</>;
}

/** Noon in the reader's zone, so that no zone moves it to another day. */
function dayWords(value: string): string {
  return words(`${value}T12:00:00`);
}

export const date = kind({
  cell: Day,
  print: (_, value) => plain(value),
  filter: {
    operators: ["days", "eq", "gte", "lte", "ne"],
    accepts: (_, value) => isDay(value),
    words: Words,
    choice: inputOf("date"),
    since: (days) => dayOf(days).date,
  },
  isSortable: true,
  isAtEnd: false,
  isPicture: false,
  asks: ({ name }) => [name],
  isShown: true,
});

function isDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const read = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(value);
}
