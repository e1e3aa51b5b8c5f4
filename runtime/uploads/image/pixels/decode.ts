import type { OutputInfo, Sharp } from "sharp";
import type { ColourSpace } from "../colours/coded.js";
import { iccProfile } from "../colours/profile.js";
import { type TaggedPixels, taggedTiff } from "../colours/tagged.js";
import type { Frame, Size } from "../rules/size.js";
import { drawingBytes } from "./drawing.js";
import type { Header } from "./header.js";
import { loadSharp } from "./sharp.js";

/** Pixels in sRGB, upright, without metadata: three bytes each, or four with an alpha channel. */
export interface Pixels {
  readonly bytes: Buffer;
  readonly size: Size;
  readonly channels: OutputInfo["channels"];
  readonly isTransparent: boolean;
}

/**
 * libjpeg's messages about lost parts of a picture. Its other warnings are harmless, such as bytes between segments.
 */
const lost = /premature end|bad Huffman|bad arithmetic|RST|progression/i;

/** Decodes a picture, scaled and cropped to the frame. Throws sharp's error if it does not decode completely. */
export function decode(header: Header, frame: Frame): Promise<Pixels> {
  return tolerating(header, (failOn) => decodeOnce(header, frame, failOn));
}

/**
 * Decodes a picture like `decode` and streams it to the next step, so that its pixels are never in memory all at once.
 * Its header must not describe colors by code points.
 */
export function decodeThrough<T>(
  header: Header,
  frame: Frame,
  finish: (image: Sharp) => Promise<T>,
): Promise<T> {
  return tolerating(header, async (failOn) => finish(await openScaled(header, frame, failOn)));
}

type FailOn = "warning" | "error";

async function tolerating<T>({ isJpeg }: Header, work: (failOn: FailOn) => Promise<T>): Promise<T> {
  if (!isJpeg) return work("error");
  try {
    return await work("warning");
  } catch (error) {
    if (error instanceof Error && lost.test(error.message)) throw error;
    return work("error");
  }
}

async function decodeOnce(header: Header, frame: Frame, failOn: FailOn): Promise<Pixels> {
  const { colours } = header;
  const image = await openScaled(header, frame, failOn);
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { channels } = info;
  const size = { width: info.width, height: info.height };
  const bytes = colours === null ? data : await inSrgb({ bytes: data, size, channels }, colours);
  return { bytes, size, channels, isTransparent: channels === 4 && hasTransparentPixel(bytes) };
}

async function openScaled(
  { path, drawing, endsInP3, ignoresProfile }: Header,
  { width, height, isWhole }: Frame,
  failOn: FailOn,
): Promise<Sharp> {
  const open = await loadSharp();
  const options = { failOn, autoOrient: true, limitInputPixels: false } as const;
  const input = drawing === null ? path : await drawingBytes(path);
  const image = open(input, { ...options, ignoreIcc: ignoresProfile })
    .resize(width, height, { fit: isWhole ? "fill" : "cover" })
    .toColourspace("srgb");
  return endsInP3 ? image.withIccProfile("srgb", { attach: false }) : image;
}

/** Converts the pixels to sRGB. libvips only supports ICC profiles, so the pixels are tagged with one. */
async function inSrgb(pixels: TaggedPixels, colours: ColourSpace): Promise<Buffer> {
  const open = await loadSharp();
  return open(taggedTiff(pixels, iccProfile(colours)), { limitInputPixels: false })
    .toColourspace("srgb")
    .raw()
    .toBuffer();
}

/** Whether any pixel is transparent: some programs write an alpha channel that is opaque everywhere. */
function hasTransparentPixel(bytes: Buffer): boolean {
  for (let alpha = 3; alpha < bytes.length; alpha += 4) {
    if (bytes[alpha] !== 255) return true;
  }
  return false;
}
