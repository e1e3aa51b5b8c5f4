import type { Sharp } from "sharp";
import type { Output, Size } from "../rules/size.js";
import type { Pixels } from "./decode.js";
import { loadSharp } from "./sharp.js";

/** A picture ready for storage: WebP without metadata. */
export interface Picture extends Size {
  readonly bytes: Buffer;
}

/** sharp's default: hardly distinguishable from the original, at about a tenth of its size. */
const quality = 80;

/** Scales and crops pixels to a picture, which is lossless if it has an alpha channel. */
export async function encode(pixels: Pixels, output: Output): Promise<Picture> {
  const open = await loadSharp();
  const { size, channels, isTransparent } = pixels;
  const image = open(pixels.bytes, { raw: { ...size, channels }, limitInputPixels: false })
    .resize(output.width, output.height, { fit: output.fit === "cover" ? "cover" : "fill" })
    .webp(isTransparent ? { lossless: true } : { quality });
  const bytes = await (isTransparent ? image : image.removeAlpha()).toBuffer();
  return { bytes, width: output.width, height: output.height };
}

/** Encodes pixels without an alpha channel that already have their final size. */
export async function encodeOpaque(image: Sharp, { width, height }: Size): Promise<Picture> {
  return { bytes: await image.webp({ quality }).toBuffer(), width, height };
}
