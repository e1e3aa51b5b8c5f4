import { readFile, stat } from "node:fs/promises";
import type { Metadata } from "sharp";
import { refuseArea, refuseOversize } from "../rules/limits.js";
import { reading, refuseDamaged, refusePicture } from "../rules/refuse.js";
import type { Size } from "../rules/size.js";
import { loadSharp } from "./sharp.js";

/** Maximum size of an SVG file in bytes; librsvg's limit for a single text node is lower. */
const maxFileBytes = 10_485_760;

/** The resolution at which a pixel of an SVG equals a pixel of the picture. */
const density = 72;

/** The size of an SVG file. Refuses the same files as `readHeader`. */
export async function sizeOfDrawing(path: string): Promise<Size> {
  const found = await readMetadata(path, density);
  if (found.format !== "svg") refuseDamaged();
  await refuseLostSide(path, found);
  refuseOversize(found);
  return { width: found.width, height: found.height };
}

/**
 * Reads the bytes of an SVG file. Without a base URL, librsvg loads nothing else: it reads files only from the folder
 * of its document, and never from the network. It runs no scripts. libvips looks for `<svg` near the beginning, which a
 * root element with a namespace prefix lacks.
 */
export async function drawingBytes(path: string): Promise<Buffer> {
  if ((await stat(path)).size > maxFileBytes) refusePicture("An SVG may have at most 10 MB");
  const text = (await readFile(path))
    .toString()
    .replace(/^\uFEFF/, "")
    .trimStart();
  const [declaration = ""] = /^<\?xml\s[^>]*\?>/.exec(text) ?? [];
  return Buffer.from(`${declaration}<!--<svg-->${text.slice(declaration.length)}`);
}

async function readMetadata(
  path: string,
  density: number,
  refuseFile?: () => never,
): Promise<Metadata> {
  const open = await loadSharp();
  const bytes = await drawingBytes(path);
  const options = { failOn: "error", limitInputPixels: false, density } as const;
  return reading(path, () => open(bytes, options).metadata(), refuseFile);
}

/**
 * Refuses a picture with a side that overflows, which libvips reports as one pixel. A side that really is one pixel
 * grows with the density.
 */
async function refuseLostSide(path: string, found: Metadata): Promise<void> {
  const shortest = ({ width, height }: Metadata) => Math.min(width, height);
  if (shortest(found) > 1) return;
  const larger = await readMetadata(path, 10 * density, refuseArea);
  if (shortest(larger) === 1) refuseArea();
}
