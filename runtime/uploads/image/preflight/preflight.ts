import { lookAtAvif, looksLikeAvif } from "./avif.js";
import { type FileView, lookInto } from "./file-view.js";
import { lookAtGif, looksLikeGif } from "./gif.js";
import { lookAtJpeg, looksLikeJpeg } from "./jpeg.js";
import { lookAtPng, looksLikePng } from "./png.js";
import { type Look, nothingFound } from "./result.js";
import { lookAtTiff, looksLikeTiff } from "./tiff.js";
import { lookAtWebp, looksLikeWebp } from "./webp.js";

/**
 * Looks at how a picture file is put together, as far as that costs next to nothing. Refuses with
 * `INVALID` what is too large, cut off, or made of more pieces than a picture has, before a library
 * takes seconds or the memory of the whole to find out, and what it would not render right. Says
 * nothing of the size of JPEG: its library finds out at once.
 */
export function lookAt(path: string): Promise<Look> {
  return lookInto(path, async (file) => {
    const start = await file.bytes(0, startLength);
    const format = formats.find(({ isIt }) => isIt(start));
    return format === undefined ? nothingFound : format.look(file);
  });
}

const startLength = 16;

interface Format {
  isIt(start: Buffer): boolean;
  look(file: FileView): Promise<Look>;
}

const formats: readonly Format[] = [
  { isIt: looksLikeJpeg, look: lookAtJpeg },
  { isIt: looksLikePng, look: lookAtPng },
  { isIt: looksLikeGif, look: lookAtGif },
  { isIt: looksLikeWebp, look: lookAtWebp },
  { isIt: looksLikeTiff, look: lookAtTiff },
  { isIt: looksLikeAvif, look: lookAtAvif },
];
