import { refuseOversize } from "../limits.js";
import { refuseDamaged, refusePicture } from "../refuse.js";
import type { FileView } from "./file-view.js";
import { readForm, refuseUnrenderable } from "./tiff-form.js";
import { readerOf } from "./tiff-tags.js";

export function looksLikeTiff(start: Buffer): boolean {
  return /^(?:II[*+]\0|MM\0[*+])/.test(start.toString("latin1"));
}

/**
 * Refuses by the header of its first page what is too large and what would not be rendered right, and
 * what has more pages than anybody scans: libtiff reads what all of them tell of themselves before it
 * decodes the first.
 */
export async function lookAtTiff(file: FileView): Promise<void> {
  const read = await readerOf(file);
  const first = await read.firstPage();
  const tags = await read.tags(first, mostTagsOfPage);
  refuseOversize({ width: await tags.value(widthTag), height: await tags.value(heightTag) });
  let all = 0;
  for (let page = first; page > 0 && page < file.size; page = await read.pageAfter(page)) {
    // A page may have none; the last may lead back to the first.
    const own = await read.tagCount(page);
    if (own > mostTagsOfPage) refuseDamaged();
    all += Math.max(1, own);
    if (all > mostTags) refusePicture("The picture has too many pages");
  }
  refuseUnrenderable(await readForm(tags));
}

const widthTag = 256;
const heightTag = 257;
/** Cameras write less than a hundred; libtiff compares each that it does not know with all others. */
const mostTagsOfPage = 250;
/** A thousand pages of twenty. */
const mostTags = 20_000;
