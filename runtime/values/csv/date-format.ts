import { readDate } from "../time.js";

/** A day, and the clock time in milliseconds since midnight. */
export interface LocalTime {
  readonly day: string;
  readonly milliseconds: number;
}

/** A format of dates and times in a file, such as `DD.MM.YYYY HH:mm`. */
export interface DateFormat {
  readonly text: string;
  /** The part of the format for dates without a time. */
  readonly dayText: string;
  /** Parses a cell as a day, possibly followed by midnight; null for any other text. */
  day(cell: string): string | null;
  /**
   * Parses a cell as a time; null for any other text. If the format has no time, the cell may have an ISO 8601 time
   * after a space, and otherwise means midnight.
   */
  time(cell: string): LocalTime | null;
}

type Part = "year" | "month" | "day" | "hour" | "minute" | "second";

/** A part of a format that stands for digits. */
interface Token {
  readonly part: Part;
  readonly least: number;
  readonly most: number;
}

const tokens: ReadonlyMap<string, Token> = new Map([
  ["YYYY", { part: "year", least: 4, most: 4 }],
  ["YY", { part: "year", least: 2, most: 2 }],
  ["MM", { part: "month", least: 2, most: 2 }],
  ["M", { part: "month", least: 1, most: 2 }],
  ["DD", { part: "day", least: 2, most: 2 }],
  ["D", { part: "day", least: 1, most: 2 }],
  ["HH", { part: "hour", least: 2, most: 2 }],
  ["H", { part: "hour", least: 1, most: 2 }],
  ["mm", { part: "minute", least: 2, most: 2 }],
  ["ss", { part: "second", least: 2, most: 2 }],
]);

interface Piece {
  readonly text: string;
  /** Null for text between tokens. */
  readonly token: Token | null;
}

/** The message for a format that `readDateFormat` refuses. */
export const dateFormatMessage =
  "Must have YYYY or YY, MM or M, and DD or D, and may have HH or H, mm and ss, each once. M, D and H need a separator before the next part: DD.MM.YYYY";

/** Parses a format; null if it is invalid. */
export function readDateFormat(text: string): DateFormat | null {
  const pieces = text
    .split(/(YYYY|YY|MM|M|DD|D|HH|H|mm|ss)/)
    .filter((piece) => piece !== "")
    .map((piece): Piece => ({ text: piece, token: tokens.get(piece) ?? null }));
  if (!isFormat(pieces)) return null;
  const isOfDay = ({ token }: Piece) => token !== null && dayParts.includes(token.part);
  const dated = pieces.slice(pieces.findIndex(isOfDay), pieces.findLastIndex(isOfDay) + 1);
  const hasClockWithin = dated.some((piece) => piece.token !== null && !isOfDay(piece));
  const whole = reader(pieces);
  const day = hasClockWithin ? whole : reader(dated);
  const hasClock = pieces.some(({ token }) => token?.part === "hour");
  return {
    text,
    dayText: hasClockWithin ? text : dated.map((piece) => piece.text).join(""),
    day(cell) {
      const read = day(cell) ?? whole(cell);
      return read?.milliseconds === 0 ? read.day : null;
    },
    time: hasClock ? whole : (cell) => whole(cell) ?? withClock(cell, whole),
  };
}

const dayParts: readonly Part[] = ["year", "month", "day"];
const clockParts: readonly Part[] = ["hour", "minute", "second"];

function isFormat(pieces: readonly Piece[]): boolean {
  const parts = pieces.flatMap(({ token }) => token?.part ?? []);
  const clock = clockParts.filter((part) => parts.includes(part));
  return (
    new Set(parts).size === parts.length &&
    dayParts.every((part) => parts.includes(part)) &&
    // Minutes require hours.
    clock.every((part, at) => part === clockParts[at]) &&
    // `hh` is refused, because other programs use it for 12-hour clocks.
    !pieces.some(({ text, token }) => token === null && /hh|[Y\d]/.test(text)) &&
    // Without a separator after it, a number of one or two digits is ambiguous.
    !pieces.some(({ token }, at) => token?.least === 1 && pieces[at + 1]?.token)
  );
}

type Reader = (cell: string) => LocalTime | null;

function reader(pieces: readonly Piece[]): Reader {
  const source = pieces.map(({ text, token }) =>
    token === null
      ? text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
      : `(?<${token.part}>\\d{${token.least},${token.most}})`,
  );
  const pattern = new RegExp(`^${source.join("")}$`);
  return (cell) => {
    const found = pattern.exec(cell)?.groups;
    if (found === undefined) return null;
    const { year = "", month = "", day = "", hour = "0", minute = "0", second = "0" } = found;
    const written = `${fullYear(year)}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
    const milliseconds = clockOf(hour, minute, second);
    return readDate(written) === null || milliseconds === null
      ? null
      : { day: written, milliseconds };
  };
}

/** Two digits mean a year from 1970 to 2069, as in PostgreSQL. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  return Number(year) < 70 ? `20${year}` : `19${year}`;
}

const isoClock = /^(.+?)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;

/** Parses a day followed by an ISO 8601 time. */
export function withClock(cell: string, day: Reader): LocalTime | null {
  const [, date = "", hour = "", minute = "", second = "0", fraction = ""] =
    isoClock.exec(cell) ?? [];
  const read = day(date);
  const clock = clockOf(hour, minute, second);
  if (read === null || clock === null) return null;
  return { ...read, milliseconds: clock + Number(fraction.slice(0, 3).padEnd(3, "0")) };
}

/** Milliseconds since midnight; null for an invalid time. */
function clockOf(hour: string, minute: string, second: string): number | null {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}
