export const timezoneMessage = "Must be an IANA time zone, such as Europe/Berlin";

/** Whether an IANA time zone has that name. Offsets such as `+02:00` do not count. */
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

/** Names that JavaScript accepts besides IANA's; PostgreSQL maps some of them to other zones. */
const abbreviations: ReadonlySet<string> = new Set(
  "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST".split(
    " ",
  ),
);
