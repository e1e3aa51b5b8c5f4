/** Red, green and blue, each from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A color with lightness (0 to 1), chroma and hue (degrees); equal distances look equal. */
export interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

/** `#rgb` or `#rrggbb`; null for any other text. */
export function parseColour(text: string): Rgb | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return null;
  const wide = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits;
  const share = (at: number) => Number.parseInt(wide.slice(at, at + 2), 16) / 255;
  return [share(0), share(2), share(4)];
}

/** Returns the color as `#rrggbb`. */
export function hexOf(colour: Rgb): string {
  const pair = (share: number) =>
    Math.round(share * 255)
      .toString(16)
      .padStart(2, "0");
  return `#${colour.map(pair).join("")}`;
}

export function toOklch(colour: Rgb): Oklch {
  const [red, green, blue] = linear(colour);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    c: Math.hypot(a, b),
    h: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  };
}

/** The displayable color with the same lightness and hue, with its chroma reduced as little as possible. */
export function toRgb(colour: Oklch): Rgb {
  let [low, high] = [0, colour.c];
  if (isShown(unclipped(colour))) low = high;
  // Twenty bisections are more precise than 8 bits per channel.
  for (let step = 0; low !== high && step < 20; step += 1) {
    const middle = (low + high) / 2;
    if (isShown(unclipped({ ...colour, c: middle }))) low = middle;
    else high = middle;
  }
  const [red, green, blue] = unclipped({ ...colour, c: low });
  return [rounded(red), rounded(green), rounded(blue)];
}

/** The contrast ratio of two colors, from 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  return contrastOf(luminance(one), luminance(other));
}

/** The contrast ratio of two luminances. */
export function contrastOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

export function luminance(colour: Rgb): number {
  const [red, green, blue] = linear(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function unclipped({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function isShown(shares: Rgb): boolean {
  return shares.every((share) => share > -1e-5 && share < 1 + 1e-5);
}

function linear([red, green, blue]: Rgb): Rgb {
  const one = (share: number) =>
    share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  return [one(red), one(green), one(blue)];
}

/** Gamma-encodes a linear channel and rounds it to 8 bits, so that the color as displayed is checked. */
function rounded(share: number): number {
  const clipped = Math.min(1, Math.max(0, share));
  const shown = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, shown)) * 255) / 255;
}
