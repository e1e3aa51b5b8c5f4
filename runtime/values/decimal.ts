/** Digits that a double carries without loss (IEEE 754: DBL_DIG). */
export const exactDigits = 15;

/** Significant digits and decimal places of a number's shortest form: 1200.5 has 5 and 1. */
export function decimalDigits(value: number): { digits: number; places: number } {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const digits = mantissa.replace(/[-.]/g, "").length;
  return { digits, places: Math.max(0, digits - 1 - Number(exponent)) };
}

/** Whether a number is exact as a decimal: below 10^15 and with at most 15 significant digits. */
export function isExact(value: number): boolean {
  return decimalDigits(value).digits <= exactDigits && Math.abs(value) < 10 ** exactDigits;
}
