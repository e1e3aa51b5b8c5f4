import { date, dayOf, exactTime, localDay, momentOfDay, relative, time } from "../text/format.js";
import { Blank, isBlank, plain } from "./blank.js";
import { inputOf } from "./filter-controls.js";
import { type CellProps, type FilterWordsProps, kind } from "./kind.js";

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

function Words({ value }: FilterWordsProps) {
  return <>{momentOfDay(localDay(value)) === value ? date(value) : time(value)}</>;
}

export const timestamp = kind({
  cell: Moment,
  print: (_, value) => plain(value),
  filter: {
    operators: ["days", "gte", "lt"],
    accepts: (_, value) =>
      /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value) &&
      !Number.isNaN(new Date(value).getTime()),
    words: Words,
    // A day in the reader's zone, from its first moment.
    choice: inputOf("date", localDay, momentOfDay),
    since: (days) => dayOf(days).moment,
  },
  isSortable: true,
  isAtEnd: false,
  isPicture: false,
  asks: ({ name }) => [name],
  isShown: true,
});
