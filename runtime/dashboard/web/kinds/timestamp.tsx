import type { Operator } from "../browser/address/list-address.js";
import {
  date,
  dayOf,
  exactTime,
  isDay,
  localDay,
  momentAfterDay,
  momentOfDay,
  nameOfDay,
  relative,
  time,
} from "../text/format.js";
import { inputOf } from "./filter/filter-controls.js";
import { type CellProps, type FilterWordsProps, kind } from "./kind.js";
import { Blank, isBlank, plain } from "./value/blank.js";

function Moment({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  const iso = String(value);
  return (
    <time dateTime={iso} title={exactTime(iso)}>
      {relative(iso)}
    </time>
  );
}

function Words({ operator, value }: FilterWordsProps) {
  if (operator === "day") return <>{nameOfDay(value)}</>;
  return <>{edgeOf(localDay(value), operator) === value ? date(value) : time(value)}</>;
}

/** The bound that a day in the reader's zone is: until its last millisecond, or from its first. */
function edgeOf(day: string, operator: Operator): string {
  if (operator !== "lte" && operator !== "gt") return momentOfDay(day);
  const next = momentAfterDay(day);
  return next === "" ? "" : new Date(new Date(next).getTime() - 1).toISOString();
}

function dayIn(value: string, operator: Operator): string {
  return operator === "day" ? value : localDay(value);
}

function fromDay(day: string, operator: Operator): string {
  return operator === "day" ? day : edgeOf(day, operator);
}

export const timestamp = kind({
  cell: Moment,
  print: (_, value) => plain(value),
  filter: {
    operators: ["days", "day", "gte", "lte", "lt"],
    accepts: (_, value, operator) =>
      operator === "day"
        ? isDay(value)
        : /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value) &&
          !Number.isNaN(new Date(value).getTime()),
    suited: (value, to, from) => fromDay(dayIn(value, from), to),
    words: Words,
    choice: inputOf("date", dayIn, fromDay),
    typing: null,
    since: (days) => dayOf(days).moment,
    within: (day) => [momentOfDay(day), momentAfterDay(day)],
  },
  isSortable: true,
  isAtEnd: false,
  isPicture: false,
  asks: ({ name }) => [name],
  isShown: true,
});
