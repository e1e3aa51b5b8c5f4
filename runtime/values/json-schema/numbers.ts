/** Whether a number is a multiple of another in decimal arithmetic: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  const [one, other] = [partsOf(value), partsOf(of)];
  const power = Math.min(one.power, other.power);
  const scaled = ({ digits, power: own }: Parts) => digits * 10n ** BigInt(own - power);
  return scaled(one) % scaled(other) === 0n;
}

interface Parts {
  readonly digits: bigint;
  readonly power: number;
}

/** Splits a finite number into an integer and a power of ten. */
function partsOf(value: number): Parts {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
}
