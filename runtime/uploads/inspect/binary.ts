import { later } from "../../loading/index.js";
import { typeOfHeic } from "./heic.js";
import { bareType } from "./media-type.js";
import { newMarkupWatch } from "./text/markup.js";

const loadFileType = later(() => import("file-type"));

/**
 * The media type of binary data by its signature; null if it is unknown. Data that also begins like markup has no type,
 * because programs could treat it as either.
 */
export async function typeOfBinary(opening: Uint8Array): Promise<string | null> {
  if (beginsLikeMarkup(opening) || isWideText(opening)) return null;
  if (begins(opening, gzip)) return "application/gzip";
  const type = typeOfHeic(opening) ?? (await recognizeType(opening)) ?? whereCutOff(opening);
  if (type === null || type.startsWith("text/")) return null;
  return doubts[type]?.(opening) === true ? null : type;
}

function beginsLikeMarkup(opening: Uint8Array): boolean {
  const watch = newMarkupWatch();
  return watch.sees(Buffer.from(opening).toString("latin1")) || watch.seesAtEnd();
}

/** Whether it is UTF-16 or UTF-32 with a byte order mark, which could also be MPEG audio; not a SketchUp model. */
function isWideText(opening: Uint8Array): boolean {
  if (begins(opening, [0xff, 0xfe])) return !begins(opening, [0xff, 0xfe, 0xff, 0x0e]);
  return begins(opening, [0xfe, 0xff]) || begins(opening, [0, 0, 0xfe, 0xff]);
}

/** Detected here, because the library would decompress the file and examine its content. */
const gzip = [0x1f, 0x8b, 0x08];

/** The library expects whole files, and may throw on one that is malformed or truncated. */
async function recognizeType(opening: Uint8Array): Promise<string | null> {
  const { fileTypeFromBuffer } = await loadFileType();
  try {
    const found = await fileTypeFromBuffer(opening);
    return found === undefined ? null : bareType(found.mime);
  } catch {
    return null;
  }
}

/**
 * The type of a TIFF or zip file that the library does not detect because the decisive bytes are beyond the opening.
 */
function whereCutOff(opening: Uint8Array): string | null {
  if (tiffs.some((signature) => begins(opening, signature))) return "image/tiff";
  return begins(opening, zip) ? "application/zip" : null;
}

const zip = [0x50, 0x4b, 0x03, 0x04];
const tiffs = [
  [0x49, 0x49, 0x2a, 0],
  [0x49, 0x49, 0x2b, 0],
  [0x4d, 0x4d, 0, 0x2a],
  [0x4d, 0x4d, 0, 0x2b],
];

/** Types that the library detects by only two or three bytes: whether the bytes that follow contradict the type. */
const doubts: Readonly<Record<string, (opening: Uint8Array) => boolean>> = {
  "image/gif": (opening) => !/^GIF8[79]a/.test(Buffer.from(opening.subarray(0, 6)).toString()),
  // The length of the second header is one of these in every version.
  "image/bmp": (opening) => ![12, 16, 40, 52, 56, 64, 108, 124].includes(opening[14] ?? 0),
  // Reserved versions, bit rates and sample rates of a frame.
  "audio/mpeg": ([sync, version = 0, rates = 0]) =>
    sync === 0xff && ((version & 0x18) === 0x08 || rates >= 0xf0 || (rates & 0x0c) === 0x0c),
};

function begins(opening: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => opening[index] === byte);
}
