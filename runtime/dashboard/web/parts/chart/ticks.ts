/** The values of an axis' grid lines: round numbers that enclose all values. */
export function ticksOf(values: readonly number[], most = 4): readonly number[] {
  const least = Math.min(0, ...values);
  const greatest = Math.max(0, ...values);
  if (least === greatest) return [0, 1];
  const step = roundStep((greatest - least) / most);
  const first = Math.floor(least / step);
  const last = Math.ceil(greatest / step);
  // Multiplied rather than added up, because sums of fractions drift.
  return Array.from({ length: last - first + 1 }, (_, at) => tidy((first + at) * step));
}

/** The smallest 1, 2 or 5 times a power of ten that is at least the value. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
