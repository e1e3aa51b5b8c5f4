import { isValueRefused } from "../db/index.js";
import { Refusal } from "../errors/index.js";
import type { Parameters } from "../http/index.js";

/** An IANA time zone as PostgreSQL takes it, UTC when none was sent. */
export function readTimezone(parameters: Parameters): string {
  const asked = parameters.take("timezone") ?? "UTC";
  if (isTimezone(asked)) return places.get(asked.toUpperCase()) ?? asked;
  parameters.reject("timezone", timezoneMessage);
  return "UTC";
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
