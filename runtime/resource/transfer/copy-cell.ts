/** Null in the text form of `copy`. */
export const nothing = "\\N";

/** A list of ids in the text form of `copy`. */
export function idsCell(ids: readonly string[]): string {
  return `{${ids.join(",")}}`;
}

/** A value in the text form of `copy`; the names of targets may be any JSON. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return nothing;
  const text =
    typeof value === "string"
      ? value
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  return special.test(text) ? text.replace(specials, (one) => escapes[one] ?? one) : text;
}

const special = /[\\\n\r\t]/;
const specials = new RegExp(special, "g");
const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
