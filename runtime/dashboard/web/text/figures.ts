import { locale } from "./format.js";
import { numbersIn } from "./number-text.js";

/** The user's number notation. */
export const readerNumbers = numbersIn(locale);

/** Maximum number of significant digits of a number without a rule for its decimals: binary fractions would show 17. */
const mostFigures = 6;
/** Maximum number of decimals that `Intl` supports in every browser. */
const mostDecimals = 20;

/** Formats a number with at most six significant digits, or more if its integer part has more. */
export function figures(value: number): string {
  const before = value === 0 ? 1 : Math.floor(Math.log10(Math.abs(value))) + 1;
  const decimals = Math.min(Math.max(mostFigures - before, 0), mostDecimals);
  if (before > 2 * mostFigures || before < mostFigures - mostDecimals) {
    return readerNumbers.write(value);
  }
  return new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }).format(value);
}

/** Formats a number rounded to the given number of decimals or, by default, to six significant digits. */
export function decimal(value: number, decimals?: number): string {
  if (decimals === undefined) return figures(value);
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value);
}
