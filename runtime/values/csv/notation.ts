import { cellWords } from "../files/cell-words.js";
import { jsonNumber } from "../files/spreadsheet.js";
import { readDate, readTimestamp } from "../time.js";
import type { PlaceTimes } from "../timezone/times.js";
import { type DateFormat, type LocalTime, withClock } from "./date-format.js";
import type { Decimal } from "./options.js";

/** How a file writes values. Nothing is guessed. */
export interface Notation {
  readonly decimal: Decimal;
  /** Null if dates and times are written as in the API. */
  readonly dates: DateFormat | null;
  /** The time zone of times without one; null to refuse them. */
  readonly place: PlaceTimes | null;
}

/** How `service export` writes values. */
export const ownNotation: Notation = { decimal: ".", dates: null, place: null };

/** A value as in an API body, or what is wrong with it. */
export type ReadValue<Value = unknown> = { readonly value: Value } | { readonly message: string };

/** Parses a number as in JSON, except for the decimal sign, a leading plus, and surrounding spaces. */
export function numberOf(cell: string, { decimal }: Pick<Notation, "decimal">): ReadValue<number> {
  // Faster for the most frequent case: an import parses millions of numbers.
  if (decimal === "." && isNumber(cell)) return { value: Number(cell) };
  const bare = cell.trim().replace(/^\+(?=\d)/, "");
  const isWritten = decimal === "." || !bare.includes(".");
  const json = decimal === "." ? bare : bare.replace(decimal, ".");
  if (isWritten && isNumber(json)) return { value: Number(json) };
  return { message: decimal === "." ? cellWords.number : cellWords.numberIn(`1234${decimal}5`) };
}

/** Unlike in JSON, numbers that overflow to infinity are refused. */
function isNumber(text: string): boolean {
  return jsonNumber.test(text) && Number.isFinite(Number(text));
}

const isoMidnight =
  /^(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/** Parses a day, or a time at midnight. */
export function dayOf(cell: string, { dates }: Pick<Notation, "dates">): ReadValue<string> {
  if (dates !== null) {
    const day = dates.day(cell);
    return day === null ? { message: cellWords.dateIn(dates.dayText) } : { value: day };
  }
  if (readDate(cell) !== null) return { value: cell };
  const day = isoMidnight.exec(cell)?.[1] ?? "";
  return readDate(day) === null ? { message: cellWords.date } : { value: day };
}

/** Parses a time with a zone, or without one in the file's time zone. */
export function momentOf(
  cell: string,
  { dates, place }: Pick<Notation, "dates" | "place">,
): ReadValue<string> {
  if (readTimestamp(cell) !== null) return { value: cell };
  const local = dates === null ? withClock(cell, isoDay) : dates.time(cell);
  if (local === null) {
    return { message: dates === null ? cellWords.time : cellWords.timeIn(dates.text) };
  }
  if (place === null) return { message: dates === null ? cellWords.time : cellWords.noZone };
  const found = place.momentOf(local.day, local.milliseconds);
  switch (found.kind) {
    case "moment":
      return { value: found.iso };
    case "skipped":
      return { message: cellWords.skippedTime(place.timezone) };
    case "repeated":
      return { message: cellWords.repeatedTime(place.timezone) };
  }
}

function isoDay(text: string): LocalTime | null {
  return readDate(text) === null ? null : { day: text, milliseconds: 0 };
}
