import type { ImageSize } from "../../../config/index.js";

/** Whole pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture to be made: its size, and the part of the upright original that it shows. */
export interface Output extends Size {
  readonly fit: ImageSize["fit"];
  /** The size of the shown part, which is in the middle, in pixels of the original (with fractions). */
  readonly shown: Size;
  /** The factor by which the original is scaled; at most 1. */
  readonly scale: number;
}

/** An intermediate picture from which several outputs can be cut and scaled. */
export interface Frame extends Size {
  /** Whether the frame shows the whole original; otherwise only its middle. */
  readonly isWhole: boolean;
}

/**
 * The output for that size. `contain` fits within it, `cover` is exactly that size; neither is ever larger than the
 * original: an original too small to cover is cropped to the same ratio at its largest size.
 */
export function outputOf(original: Size, wanted: ImageSize): Output {
  if (wanted.fit === "cover") return cut(original, coverWithin(original, wanted));
  const scale = Math.min(1, wanted.width / original.width, wanted.height / original.height);
  return { ...scaleSize(original, scale), fit: "contain", shown: original, scale };
}

/** The output of exactly that size, cropped to it and enlarged if needed. */
export function exactOutputOf(original: Size, wanted: Size): Output {
  return cut(original, { width: wanted.width, height: wanted.height });
}

/** The smallest frame with every pixel that the outputs need. */
export function frameOf(original: Size, outputs: readonly Output[]): Frame {
  const scale = Math.max(...outputs.map((output) => output.scale));
  const width = Math.max(...outputs.map(({ shown }) => shown.width));
  const height = Math.max(...outputs.map(({ shown }) => shown.height));
  const isWhole = outputs.some(({ fit }) => fit === "contain");
  return { ...scaleSize(isWhole ? original : { width, height }, scale), isWhole };
}

function coverWithin(original: Size, wanted: Size): Size {
  return scaleSize(
    wanted,
    Math.min(1, original.width / wanted.width, original.height / wanted.height),
  );
}

function cut(original: Size, size: Size): Output {
  const scale = Math.max(size.width / original.width, size.height / original.height);
  const shown = { width: size.width / scale, height: size.height / scale };
  return { ...size, fit: "cover", shown, scale: Math.min(1, scale) };
}

function scaleSize({ width, height }: Size, scale: number): Size {
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
