export const timezoneMessage = "Must be an IANA time zone, such as Europe/Berlin";

/** Whether there is an IANA time zone with that name. Offsets such as `+02:00` do not count. */
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

/** PostgreSQL's name for a time zone that `isTimezone` accepts. */
export function databaseTimezone(name: string): string {
  return places.get(name.toUpperCase()) ?? name;
}

/** Equivalents of zones whose names PostgreSQL interprets as abbreviations without daylight saving time. */
const places: ReadonlyMap<string, string> = new Map([
  ["CET", "Europe/Brussels"],
  ["MET", "Europe/Brussels"],
  ["EET", "Europe/Athens"],
  ["WET", "Europe/Lisbon"],
]);

/** Names that JavaScript accepts besides IANA's; PostgreSQL interprets some of them as other zones. */
const abbreviations: ReadonlySet<string> = new Set(
  "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST".split(
    " ",
  ),
);
