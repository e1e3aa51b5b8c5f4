import { digitsOf, inAscii, marksOf, type NumberMarks } from "./number-marks.js";

export type ReadNumber =
  | { readonly kind: "number"; readonly value: number }
  /** Not valid in this notation: the possible numbers, most likely first. */
  | { readonly kind: "unclear"; readonly values: readonly number[] }
  | { readonly kind: "none" };

/** Reads and writes numbers in one notation: a locale's or a file's. */
export interface NumberText {
  readonly read: (text: string) => ReadNumber;
  /** Formats with exactly `decimals` decimals, or with the number of decimals needed to parse the same value again. */
  readonly write: (value: number, decimals?: number) => string;
}

/** Direction controls, which `Intl` and some keyboards put next to signs. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Sign, digits and exponent; JavaScript formats very large and very small numbers with an exponent. */
const shape = /^([-+\u2212]?)(.*?)(e[-+]?\d{1,4})?$/i;

/**
 * Parses a number in the first notation that fits. A number that is valid only in another notation is unclear: 1.234,50
 * must not become 1.2345.
 */
export function readNumber(text: string, marks: readonly NumberMarks[]): ReadNumber {
  const [, sign = "", body = "", exponent = ""] =
    shape.exec(text.replace(directions, "").trim()) ?? [];
  const minus = sign === "" || sign === "+" ? "" : "-";
  // Adding zero turns negative zero into zero.
  const numberOf = (digits: string) => Number(minus + digits + exponent) + 0;
  for (const one of marks) {
    const digits = digitsOf(body, one);
    if (digits === null) continue;
    const value = numberOf(digits);
    return Number.isFinite(value) ? { kind: "number", value } : { kind: "none" };
  }
  const [own] = marks;
  const values = own === undefined ? [] : inAnotherWay(inAscii(body, own), own).map(numberOf);
  const meant = [...new Set(values.filter(Number.isFinite))];
  return meant.length === 0 ? { kind: "none" } : { kind: "unclear", values: meant };
}

const separator = "[.,\\u066b\\u066c'’ \\u00a0\\u2009\\u202f]";
const grouped = new RegExp(`^[1-9]\\d{0,2}(${separator})(?:\\d{2,3}\\1)*\\d{3}$`);

/** Other possible readings of a text: its last mark as a thousands separator, as a decimal sign, or ignored. */
function inAnotherWay(text: string, { decimal }: NumberMarks): readonly string[] {
  const whole = grouped.test(text) ? [bare(text)] : [];
  const [, before = "", mark = "", after = ""] = /^(.*?)([.,\u066b])(\d*)$/.exec(text) ?? [];
  const isWhole = /^\d*$/.test(before) || (grouped.test(before) && !before.includes(mark));
  const split = isWhole && before + after !== "" ? [`${bare(before)}.${after}`] : [];
  if (whole.length + split.length === 0) return [];
  const [start = "", end = "", more] = text.split(decimal);
  return [...whole, ...split, ...(more === undefined ? [`${bare(start)}.${bare(end)}`] : [])];
}

function bare(text: string): string {
  return text.replace(/\D/g, "");
}

/** Maximum number of decimals that `Intl` supports in every browser. */
const mostDecimals = 20;

/** Parses and formats numbers in the notation of a locale. */
export function numbersIn(locale: string): NumberText {
  const marks = marksOf(locale);
  const formats = new Map<string, Intl.NumberFormat>();
  const format = (least: number, most: number) => {
    const name = `${least} ${most}`;
    const known =
      formats.get(name) ??
      new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: most });
    formats.set(name, known);
    return known;
  };
  const read = (text: string) => readNumber(text, marks);
  const isSame = (text: string, value: number) => {
    const found = read(text);
    return found.kind === "number" && found.value === value;
  };
  return {
    read,
    write: (value, decimals) => {
      const places = decimals === undefined ? undefined : Math.min(decimals, mostDecimals);
      const fixed = places === undefined ? null : format(places, places).format(value + 0);
      if (fixed !== null && isSame(fixed, value)) return fixed;
      const whole = format(0, mostDecimals).format(value + 0);
      // Numbers too small for `Intl` have an exponent.
      return isSame(whole, value) ? whole : String(value).replace(".", marks[0]?.decimal ?? ".");
    },
  };
}
