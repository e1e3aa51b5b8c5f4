import { dateFormatMessage, readDateFormat } from "../../../../../values/csv/date-format.js";
import { type Notation, ownNotation } from "../../../../../values/csv/notation.js";
import { joinedCell, readWords, replacer } from "../../../../../values/csv/replaced.js";
import { isTimezone, timezoneMessage } from "../../../../../values/timezone/name.js";
import { timesOf } from "../../../../../values/timezone/times.js";
import { enImport } from "../../../text/en/import.js";
import type { Target } from "../mapping.js";

/** The notation of a file's values as typed; empty for the API's. */
export interface TypedNotation {
  readonly dateFormat: string;
  readonly timezone: string;
  readonly nulls: string;
}

export const nothingTyped: TypedNotation = { dateFormat: "", timezone: "", nulls: "" };

/** How a file's cells are parsed. The notation of numbers is set per column. */
export interface FileNotation extends Pick<Notation, "dates" | "place"> {
  /** Returns the cell of a row for the column at position `at`. */
  readonly cellOf: (row: readonly string[], at: number, target: Target) => string;
}

type Problems = Partial<Readonly<Record<keyof TypedNotation, string>>>;

export function problemsOf({ dateFormat, timezone, nulls }: TypedNotation): Problems {
  const isFormat = dateFormat === "" || readDateFormat(dateFormat) !== null;
  const isZone = timezone === "" || isTimezone(timezone);
  return {
    ...(!isFormat && { dateFormat: dateFormatMessage }),
    ...(!isZone && { timezone: timezoneMessage }),
    ...(readWords(nulls) === null && { nulls: enImport.notation.nullsWrong }),
  };
}

/** Parses a typed notation that has no problems. */
export function readNotation({ dateFormat, timezone, nulls }: TypedNotation): FileNotation {
  const { bare } = replacer({ nulls: readWords(nulls) ?? [], values: {} });
  return {
    dates: dateFormat === "" ? ownNotation.dates : readDateFormat(dateFormat),
    place: timezone === "" ? ownNotation.place : timesOf(timezone),
    cellOf(row, at, { behind = [], values = {} }) {
      const cell = joinedCell([at, ...behind].map((place) => bare(row[place] ?? "")));
      const word = cell.trim();
      return Object.hasOwn(values, word) ? (values[word] ?? cell) : cell;
    },
  };
}
