/** Number of digits that a double always stores. */
const keptDigits = 15;

/** Whether a double can store a JSON number without changing its value. */
export function isKept(text: string): boolean {
  if (text.length <= keptDigits && !/[eE]/.test(text)) return true;
  const value = Number(text);
  return Number.isFinite(value) && plainForm(text) === plainForm(String(value));
}

/** The number as its significant digits and the exponent of the last one: equal for `10`, `1e1` and `10.0`. */
function plainForm(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === "0") start += 1;
  let end = digits.length;
  while (end > start && digits[end - 1] === "0") end -= 1;
  if (start === end) return "0";
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${sign}${digits.slice(start, end)}e${power}`;
}

/** The length of a finite number as PostgreSQL shows it, without an exponent. */
export function shownLength(value: number): number {
  const text = String(value);
  const at = text.indexOf("e");
  if (at < 0) return text.length;
  const [whole = "", fraction = ""] = text.slice(0, at).split(".");
  const exponent = Number(text.slice(at + 1));
  if (exponent > 0) return whole.length + exponent;
  // `1.5e-7` becomes `0.00000015`.
  return whole.length + 1 - exponent + fraction.length;
}
