import { refusePicture } from "../rules/refuse.js";

/** Colors that a file's header describes by ITU-T H.273 code points (nclx in AVIF, cICP in PNG). */
export interface CodedColours {
  readonly primaries: number;
  readonly transfer: number;
}

/** The primaries and white point of a color space, as CIE 1931 coordinates. */
export interface Primaries {
  readonly red: Point;
  readonly green: Point;
  readonly blue: Point;
  readonly white: Point;
}
export type Point = readonly [x: number, y: number];

/** The color space of a picture's pixels, for conversion to sRGB. */
export interface ColourSpace {
  readonly primaries: Primaries;
  readonly curve: Curve;
}
/** A transfer curve: sRGB's, or the exponent of a power curve. */
export type Curve = "srgb" | number;

const d65: Point = [0.3127, 0.329];
const illuminantC: Point = [0.31, 0.316];
const smpte170m: Primaries = {
  red: [0.63, 0.34],
  green: [0.31, 0.595],
  blue: [0.155, 0.07],
  white: d65,
};

/** Primaries by code point (H.273, table 2), except for 1 (sRGB's), 2 (unspecified), 10 (XYZ) and reserved ones. */
const primariesOf: Readonly<Record<number, Primaries>> = {
  4: { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: illuminantC },
  5: { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: d65 },
  6: smpte170m,
  7: smpte170m,
  8: { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: illuminantC },
  9: { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: d65 },
  11: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.314, 0.351] },
  12: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: d65 },
  22: { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: d65 },
};
const srgb: Primaries = { red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06], white: d65 };

const xyz = 10;
const highDynamicRange: Readonly<Record<number, string>> = { 16: "PQ", 18: "HLG" };
/** Code points of logarithmic curves, and of the curve of cinema projectors. */
const unsupportedTransfers = new Set([9, 10, 17]);
/**
 * Exponents by code point (H.273, table 3). The curves of cameras (1, 6, 7, 11, 12, 14, 15) are rendered with sRGB's,
 * as browsers do.
 */
const powers: Readonly<Record<number, number>> = { 4: 2.2, 5: 2.8, 8: 1 };

/**
 * The color space of the code points; null if they mean sRGB, or unspecified. Refuses high dynamic range with
 * `INVALID`, because software without support for it shows wrong colors.
 */
export function colourSpaceOf({ primaries, transfer }: CodedColours): ColourSpace | null {
  const range = highDynamicRange[transfer];
  if (range !== undefined) {
    refusePicture(`The picture is HDR (${range}): export it in standard dynamic range`);
  }
  if (unsupportedTransfers.has(transfer) || primaries === xyz) {
    refusePicture("The picture has an unsupported color space: export it in sRGB");
  }
  const own = primariesOf[primaries];
  const power = powers[transfer];
  if (own === undefined && power === undefined) return null;
  return { primaries: own ?? srgb, curve: power ?? "srgb" };
}
