/** What the separators of a number can mean where it is written. */
export interface NumberMarks {
  /** Whether a comma may be the decimal separator; it may always separate thousands. */
  readonly hasDecimalCommas: boolean;
  /** Whether a point may separate thousands. It may always be the decimal separator, as it is in the API. */
  readonly hasGroupingPoints: boolean;
}

export type ReadNumber =
  | { readonly kind: "number"; readonly value: number }
  /** Not read, because a separator may be one between thousands: each number that can be meant, in clear writing. */
  | { readonly kind: "unclear"; readonly forms: readonly string[] }
  | { readonly kind: "none" };

/** No-break, thin and narrow no-break spaces are what `Intl` and typesetters put between thousands. */
const space = "[ \\u00a0\\u2009\\u202f]";
/** `1 234 567,5`: a space is never a decimal separator, and beside it nothing else separates thousands. */
const spaced = new RegExp(`^[1-9]\\d{0,2}(${space})\\d{3}(?:\\1\\d{3})*(?:[.,]\\d*)?$`);
const plain = /^(?:\d+[.,]?\d*|[.,]\d+)$/;
/** `1,000`: thousand to one reader, one to another. */
const groupedOnce = /^[1-9]\d{0,2}[.,]\d{3}$/;
/** `1,234,567`, `12,34,567`, `1'234'567`. */
const grouped = /^[1-9]\d{0,2}([.,'’])(?:\d{2,3}\1)*\d{3}$/;

/** How people of a locale separate. Half of the world writes decimal commas, in programs of any language. */
export function marksOf(locale: string): NumberMarks {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  const mark = parts.find(({ type }) => type === "decimal")?.value;
  return { hasDecimalCommas: true, hasGroupingPoints: mark !== "." };
}

/**
 * Reads a number that a person wrote. It has one decimal separator at most, and spaces between its thousands at most.
 * Whatever else could separate thousands is not read: nobody's 1,000 may become 1.
 */
export function readNumber(text: string, marks: NumberMarks): ReadNumber {
  const [, sign = "", body = "", exponent = ""] =
    /^([+\-\u2212]?)(.*?)(e[+-]?\d+)?$/i.exec(text.trim()) ?? [];
  const minus = sign === "" || sign === "+" ? "" : "-";
  const written = (digits: string) => `${minus}${digits}${exponent}`;
  if (spaced.test(body) || isClear(body, exponent !== "", marks)) {
    const digits = body.replace(new RegExp(space, "g"), "").replace(",", ".");
    return { kind: "number", value: Number(written(digits)) };
  }
  const forms = [...new Set(readings(body).map(shortest).map(written))];
  return forms.length === 0
    ? { kind: "none" }
    : { kind: "unclear", forms: forms.map((form) => clear(form, marks)) };
}

/** A number with so many decimals, written so that it is read as the same. */
export function writeNumber(
  value: number,
  decimals: number | undefined,
  marks: NumberMarks,
): string {
  // `toFixed` takes 100 at most.
  const fixed = decimals === undefined ? "" : value.toFixed(Math.min(100, decimals));
  const isSame = fixed !== "" && Number(fixed) === value && !fixed.includes("e");
  return clear(isSame ? fixed : String(value), marks);
}

function isClear(body: string, hasExponent: boolean, marks: NumberMarks): boolean {
  if (!plain.test(body)) return false;
  // Nobody separates thousands before an exponent.
  const mayGroup = groupedOnce.test(body) && !hasExponent;
  if (body.includes(",")) return marks.hasDecimalCommas && !mayGroup;
  return !(body.includes(".") && mayGroup && marks.hasGroupingPoints);
}

/** The digits of each number that a text may stand for, with a decimal point: as whole thousands first. */
function readings(body: string): readonly string[] {
  const whole = grouped.test(body) ? [bare(body)] : [];
  const [, before, mark = "", after = ""] = /^(.*?)([.,])(\d*)$/.exec(body) ?? [];
  if (before === undefined || before + after === "") return whole;
  const isWhole = /^\d*$/.test(before) || (grouped.test(before) && !before.includes(mark));
  return isWhole ? [...whole, `${bare(before)}.${after}`] : whole;
}

function bare(text: string): string {
  return text.replace(/\D/g, "");
}

/** Without what means nothing: `01.50` is `1.5`. */
function shortest(digits: string): string {
  const [whole = "", fraction = ""] = digits.split(".");
  const significant = fraction.replace(/0+$/, "");
  const start = whole.replace(/^0+(?=\d)/, "") || "0";
  return significant === "" ? start : `${start}.${significant}`;
}

/** One more zero where three decimals would look like thousands. */
function clear(text: string, marks: NumberMarks): string {
  return groupedOnce.test(text.replace(/^-/, "")) && marks.hasGroupingPoints ? `${text}0` : text;
}
