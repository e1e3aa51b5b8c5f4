/** The first lines of a Markdown table. */
export function heading(...cells: readonly string[]): string {
  return `${line(...cells)}${line(...cells.map((_, at) => (at === 0 ? "---" : "---:")))}`;
}

export function line(...cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/** Requests a second, with digits only where they tell something. */
export function rateText(rate: number): string {
  if (rate < 10) return rate.toFixed(2);
  return grouped(rate < 100 ? rate.toFixed(1) : rate.toFixed(0));
}

export function ratioText(ratio: number): string {
  return ratio < 10 ? ratio.toFixed(2) : grouped(ratio.toFixed(0));
}

export function millisecondsText(milliseconds: number): string {
  return grouped(milliseconds.toFixed(milliseconds < 100 ? 1 : 0));
}

export function metText(met: boolean): string {
  return met ? "yes" : "**no**";
}

/** Thousands apart, as in `1 000 000`. */
export function grouped(digits: string | number): string {
  return String(digits).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, " ");
}
