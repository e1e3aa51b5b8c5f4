/** Number of decimal digits that a double stores without loss (IEEE 754: DBL_DIG). */
export const exactDigits = 15;

/** The significant digits and decimal places of a number's shortest form: 1200.5 has 5 and 1. */
export function decimalDigits(value: number): { digits: number; places: number } {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const digits = mantissa.replace(/[-.]/g, "").length;
  return { digits, places: Math.max(0, digits - 1 - Number(exponent)) };
}

/** Whether a number is exact in decimal: below 10^15 and with at most 15 significant digits. */
export function isExact(value: number): boolean {
  return decimalDigits(value).digits <= exactDigits && Math.abs(value) < 10 ** exactDigits;
}

/** Whether a double stores a decimal number, given as text without an exponent, without loss. */
export function hasExactDigits(text: string): boolean {
  return text.replace(/[-.]/g, "").replace(/^0+/, "").length <= exactDigits;
}

/** Rounds the value's shortest decimal form to `decimals` places, with halves away from zero: 1.005 → 1.01. */
export function roundTo(value: number, decimals: number): number {
  if (!Number.isFinite(value) || decimalDigits(value).places <= decimals) return value;
  const [mantissa = "", exponent = "0"] = Math.abs(value).toExponential().split("e");
  const units = Math.round(Number(`${mantissa}e${Number(exponent) + decimals}`));
  // Adding 0 turns -0 into 0.
  return Math.sign(value) * Number(`${units}e-${decimals}`) + 0;
}
