import { momentOf } from "../../../values/csv/notation.js";
import { readTimestamp } from "../../../values/time.js";
import type { Operator } from "../browser/address/list-address.js";
import {
  date,
  dayOf,
  isDay,
  localDay,
  momentAfterDay,
  momentOfDay,
  nameOfDay,
  time,
} from "../text/dates.js";
import { enKinds } from "../text/en/kinds.js";
import { inputOf } from "./filter/filter-controls.js";
import { formDefaults, parsing, problem } from "./form-rules.js";
import {
  type CellProps,
  type FilterWordsProps,
  filterDefaults,
  kind,
  kindDefaults,
  readAs,
} from "./kind.js";
import { Blank, isBlank } from "./value/blank.js";
import { TimestampText } from "./value/timestamp-text.js";

function Moment({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  return <TimestampText iso={String(value)} />;
}

function Words({ operator, value }: FilterWordsProps) {
  if (operator === "day") return <>{nameOfDay(value)}</>;
  return <>{edgeOf(localDay(value), operator) === value ? date(value) : time(value)}</>;
}

/** The first or last millisecond of a day in the user's time zone. */
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
  ...kindDefaults,
  cell: Moment,
  filter: {
    ...filterDefaults,
    operators: ["days", "day", "gte", "lte", "lt"],
    comparisons: "order",
    accepts: (_, value, operator) =>
      operator === "day"
        ? isDay(value)
        : /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value) &&
          !Number.isNaN(new Date(value).getTime()),
    suited: (value, to, from) => fromDay(dayIn(value, from), to),
    words: Words,
    choice: inputOf({ type: "date", toInput: dayIn, fromInput: fromDay }),
    since: (days) => dayOf(days).moment,
    within: (day) => [momentOfDay(day), momentAfterDay(day)],
  },
  grouping: "moments",
  form: {
    ...formDefaults,
    input: "moment",
    typed: (value) => (typeof value === "string" ? (readTimestamp(value) ?? value) : ""),
    parse: parsing((_, typed) => {
      const value = readTimestamp(typed);
      return problem(value === null ? enKinds.wholeTime : null, value);
    }),
    width: () => "half",
  },
  readCell: (_, written, notation) => {
    // Users and databases write a space instead of the T.
    const value = written.trim().replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, "$1T");
    return readAs(momentOf(notation.dates === null ? value : written.trim(), notation));
  },
});
