import { isValueRefused } from "../db/index.js";
import { Refusal } from "../errors/index.js";
import type { Parameters } from "../http/index.js";

/** SQL for the zone of those who ask for none. */
export const usualTimezone = "'UTC'";

/** Takes an IANA time zone, and adds it to the values of a statement; returns its SQL there. */
export function takeTimezone(parameters: Parameters, values: unknown[]): string {
  const asked = parameters.take("timezone");
  if (asked === undefined) return usualTimezone;
  if (isTimezone(asked)) return `$${values.push(places.get(asked.toUpperCase()) ?? asked)}::text`;
  parameters.reject("timezone", timezoneMessage);
  return usualTimezone;
}

/**
 * The statement, which PostgreSQL refuses where it does not know the zone. Without the condition it would look at
 * the zone only when it has a time to convert.
 */
export function checkingTimezone(statement: string, timezone: string): string {
  if (timezone === usualTimezone) return statement;
  return `select * from (${statement}) as _answer where (now() at time zone ${timezone}) is not null`;
}

export const timezoneMessage = "Must be an IANA time zone, such as Europe/Berlin";

/** The refusal of a zone that JavaScript knows and PostgreSQL does not: their lists come from different years. */
export function refusalOfTimezone(error: unknown): Refusal | null {
  if (!isValueRefused(error)) return null;
  return new Refusal("BAD_PARAMETERS", {
    issues: [{ param: "timezone", message: timezoneMessage }],
  });
}

/** Offsets such as `+02:00` are not names of zones. */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(text)) return false;
  if (/^SystemV\//i.test(text) || abbreviations.has(text.toUpperCase())) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Zones whose names PostgreSQL reads as abbreviations without summer time, and their equivalents. */
const places: ReadonlyMap<string, string> = new Map([
  ["CET", "Europe/Brussels"],
  ["MET", "Europe/Brussels"],
  ["EET", "Europe/Athens"],
  ["WET", "Europe/Lisbon"],
]);

/** Names that JavaScript accepts besides IANA's; PostgreSQL knows some of them as other zones. */
const abbreviations: ReadonlySet<string> = new Set(
  "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST".split(
    " ",
  ),
);
