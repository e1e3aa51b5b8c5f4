import { locale } from "./format.js";
import { numbersIn } from "./number-text.js";

/** The user's number notation. */
export const readerNumbers = numbersIn(locale);

/** The most figures of a number without a rule for its decimals: binary fractions would show 17. */
const mostFigures = 6;
/** The most decimals that `Intl` writes in every browser. */
const mostDecimals = 20;

/** A number of any size with at most six figures, unless more are before the decimal sign. */
export function figures(value: number): string {
  const before = value === 0 ? 1 : Math.floor(Math.log10(Math.abs(value))) + 1;
  const decimals = Math.min(Math.max(mostFigures - before, 0), mostDecimals);
  if (before > 2 * mostFigures || before < mostFigures - mostDecimals) {
    return readerNumbers.write(value);
  }
  return new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }).format(value);
}

/** A number rounded to that number of decimals, or to six figures. */
export function decimal(value: number, decimals?: number): string {
  if (decimals === undefined) return figures(value);
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value);
}
