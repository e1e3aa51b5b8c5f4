import { refuseOversize } from "../rules/limits.js";
import { tiffMemory } from "../rules/memory.js";
import { refuseDamaged, refusePicture } from "../rules/refuse.js";
import type { Size } from "../rules/size.js";
import type { FileView } from "./file-view.js";
import { noFindings, type Preflight } from "./result.js";
import { isConverted, readForm, refuseUnrenderable, type TiffForm, yCbCr } from "./tiff-form.js";
import { readerOf, type TiffTags } from "./tiff-tags.js";

export function isTiff(start: Buffer): boolean {
  return /^(?:II[*+]\0|MM\0[*+])/.test(start.toString("latin1"));
}

/**
 * Finds the memory use of the decoder. Refuses a picture whose first page is too large or would be rendered wrongly.
 * Refuses a file with too many pages: libtiff reads the tags of all pages before it decodes the first. The library
 * alone would accept all of these, and render unusual forms (floating-point, Lab, planar) in wrong colors.
 */
export async function preflightTiff(file: FileView): Promise<Preflight> {
  const read = await readerOf(file);
  const first = await read.firstPage();
  const tags = await read.tags(first, maxTagsPerPage);
  const size = { width: await tags.value(widthTag), height: await tags.value(heightTag) };
  refuseOversize(size);
  let all = 0;
  for (let page = first; page > 0 && page < file.size; page = await read.pageAfter(page)) {
    // A page may have no tags; the last may link back to the first.
    const own = await read.tagCount(page);
    if (own > maxTagsPerPage) refuseDamaged();
    all += Math.max(1, own);
    if (all > maxTags) refusePicture("The picture has too many pages");
  }
  const form = await readForm(tags);
  refuseUnrenderable(form);
  const pieces = { size, ...(await piecesOf(tags, size, form)) };
  return { ...noFindings, decoderBytes: tiffMemory(pieces) };
}

/** Lines of a strip. libvips reads longer strips line by line, if it can. */
const linesOfStrip = 128;

async function piecesOf(tags: TiffTags, size: Size, form: TiffForm) {
  const pixelBytes = isConverted(form)
    ? 4
    : Math.ceil((form.samplesPerPixel * Math.max(8, ...form.bitsPerSample)) / 8);
  const tileWidth = await tags.value(tileWidthTag, 0);
  if (tileWidth > 0) {
    const piece = { width: tileWidth, height: await tags.value(tileHeightTag, tileWidth) };
    return { piece, isTiled: true, pixelBytes, isReadInLines: false };
  }
  const lines = Math.min(size.height, await tags.value(rowsPerStripTag, size.height));
  const isReadInLines = lines > linesOfStrip && !form.isPlanar && form.photometric !== yCbCr;
  const piece = { width: size.width, height: lines };
  return { piece, isTiled: false, pixelBytes, isReadInLines };
}

const rowsPerStripTag = 278;
const tileWidthTag = 322;
const tileHeightTag = 323;
const widthTag = 256;
const heightTag = 257;
/** Cameras write fewer than a hundred; libtiff compares each unknown tag with all others. */
const maxTagsPerPage = 250;
/** Maximum number of tags in all pages: enough for a thousand pages of twenty tags. */
const maxTags = 20_000;
