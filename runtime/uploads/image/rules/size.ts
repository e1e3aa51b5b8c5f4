import type { ImageSize } from "../../../config/index.js";

/** Whole pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture to be made: its size, and what it shows of the upright original. */
export interface Output extends Size {
  readonly fit: ImageSize["fit"];
  /** The shown part of the original, in the middle of it, in pixels of the original (with fractions). */
  readonly shown: Size;
  /** How much the original is scaled for it; at most 1. */
  readonly scale: number;
}

/** What all of several outputs can be cut and scaled from. */
export interface Frame extends Size {
  /** Whether it shows the whole original; else its middle. */
  readonly isWhole: boolean;
}

/**
 * The picture of that size. `contain` lies within it, `cover` is exactly that size; neither is ever
 * larger than the original: what is too small to cover is cut to the same ratio at the largest size
 * it has.
 */
export function outputOf(original: Size, wanted: ImageSize): Output {
  if (wanted.fit === "cover") return cut(original, covered(original, wanted));
  const scale = Math.min(1, wanted.width / original.width, wanted.height / original.height);
  return { ...scaled(original, scale), fit: "contain", shown: original, scale };
}

/** The picture of exactly that size, cut to it and even enlarged. */
export function exactOutputOf(original: Size, wanted: Size): Output {
  return cut(original, { width: wanted.width, height: wanted.height });
}

/** The least that has every pixel which the outputs need. */
export function frameOf(original: Size, outputs: readonly Output[]): Frame {
  const scale = Math.max(...outputs.map((output) => output.scale));
  const width = Math.max(...outputs.map(({ shown }) => shown.width));
  const height = Math.max(...outputs.map(({ shown }) => shown.height));
  const isWhole = outputs.some(({ fit }) => fit === "contain");
  return { ...scaled(isWhole ? original : { width, height }, scale), isWhole };
}

function covered(original: Size, wanted: Size): Size {
  return scaled(
    wanted,
    Math.min(1, original.width / wanted.width, original.height / wanted.height),
  );
}

function cut(original: Size, size: Size): Output {
  const scale = Math.max(size.width / original.width, size.height / original.height);
  const shown = { width: size.width / scale, height: size.height / scale };
  return { ...size, fit: "cover", shown, scale: Math.min(1, scale) };
}

function scaled({ width, height }: Size, scale: number): Size {
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
