import { dayOf as dayOfCell } from "../../../values/csv/notation.js";
import { readDate } from "../../../values/time.js";
import { dayOf, isDay, nameOfDay } from "../text/dates.js";
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

/** A date is not a point in time: it is the same day in every time zone. */
function Day({ field, row }: CellProps) {
  const value = row[field.name];
  if (isBlank(value)) return <Blank />;
  return <time dateTime={String(value)}>{nameOfDay(String(value))}</time>;
}

function Words({ value }: FilterWordsProps) {
  return <>{nameOfDay(value)}</>;
}

export const date = kind({
  ...kindDefaults,
  cell: Day,
  filter: {
    ...filterDefaults,
    operators: ["days", "eq", "gte", "lte", "ne"],
    comparisons: "order",
    accepts: (_, value) => isDay(value),
    words: Words,
    choice: inputOf({ type: "date" }),
    since: (days) => dayOf(days).date,
  },
  grouping: "days",
  form: {
    ...formDefaults,
    input: "day",
    parse: parsing((_, typed) =>
      problem(readDate(typed) === null ? enKinds.wholeDate : null, typed),
    ),
    width: () => "third",
  },
  readCell: (_, written, notation) => readAs(dayOfCell(written.trim(), notation)),
});
