import type { ImageSize } from "../../../config/index.js";

/** A size in whole pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture to render: its size, and the part of the upright original that it shows. */
export interface Output extends Size {
  readonly fit: ImageSize["fit"];
  /** The size of that part, which is centered, in pixels of the original (may be fractional). */
  readonly shown: Size;
  /** The scale relative to the original, at most 1. */
  readonly scale: number;
}

/** An intermediate picture from which several outputs can be cropped and scaled. */
export interface Frame extends Size {
  /** Whether the frame shows the whole original, not only its center. */
  readonly isWhole: boolean;
}

/**
 * The output for that size. `contain` fits within it, `cover` has exactly that size. Neither enlarges the original: if
 * it is too small to cover the size, it is cropped to the same ratio as large as possible.
 */
export function outputOf(original: Size, wanted: ImageSize): Output {
  if (wanted.fit === "cover") return cut(original, coverWithin(original, wanted));
  const scale = Math.min(1, wanted.width / original.width, wanted.height / original.height);
  return { ...scaleSize(original, scale), fit: "contain", shown: original, scale };
}

/** The output with exactly that size, cropped and enlarged if needed. */
export function exactOutputOf(original: Size, wanted: Size): Output {
  return cut(original, { width: wanted.width, height: wanted.height });
}

/** The smallest frame that contains every pixel that the outputs need. */
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
