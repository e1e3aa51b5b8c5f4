/** Null in the text format of `copy`. */
export const nothing = "\\N";

/** A field's value in the text format of `copy`; a list becomes an array. */
export function valueCell(value: unknown): string {
  return Array.isArray(value) ? escaped(arrayText(value)) : cellOf(value);
}

/** The name of a link's target in the text format of `copy`; it may be any JSON value. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return nothing;
  const text =
    typeof value === "string"
      ? value
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  return escaped(text);
}

function escaped(text: string): string {
  return special.test(text) ? text.replace(specials, (one) => escapes[one] ?? one) : text;
}

/** An array literal of PostgreSQL. */
function arrayText(values: readonly unknown[]): string {
  const elements = values.map((one) => `"${String(one).replace(/["\\]/g, "\\$&")}"`);
  return `{${elements.join(",")}}`;
}

const special = /[\\\n\r\t]/;
const specials = new RegExp(special, "g");
const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
