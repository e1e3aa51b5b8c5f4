import type { PictureFormatName } from "../../../values/files/picture-formats.js";
import { isAvif, preflightAvif } from "./avif.js";
import { type FileView, viewFile } from "./file-view.js";
import { isGif, preflightGif } from "./gif.js";
import { isJpeg, preflightJpeg } from "./jpeg.js";
import { isPng, preflightPng } from "./png.js";
import { type Library, noFindings, type Preflight } from "./result.js";
import { isTiff, preflightTiff } from "./tiff.js";
import { isWebp, preflightWebp } from "./webp.js";

/**
 * Checks the structure of a picture file cheaply, before a library spends seconds or the memory of the whole picture on
 * it. Refuses with `INVALID` a file that is too large, truncated, or made of more pieces than a real picture, or that
 * the library would render wrongly. Does not check the size of a JPEG, which its library reads immediately.
 */
export function preflight(
  path: string,
  library: Library = { decodesHeic: async () => false },
): Promise<Preflight> {
  return viewFile(path, async (file) => {
    const start = await file.bytes(0, startLength);
    const format = Object.values(formats).find(({ isIt }) => isIt(start));
    return format === undefined ? noFindings : format.look(file, library);
  });
}

const startLength = 16;

interface Format {
  isIt(start: Buffer): boolean;
  look(file: FileView, library: Library): Promise<Preflight>;
}

/** Without SVG: a drawing has no pixels, and is checked elsewhere. */
const formats: Readonly<Record<Exclude<PictureFormatName, "SVG">, Format>> = {
  JPEG: { isIt: isJpeg, look: preflightJpeg },
  PNG: { isIt: isPng, look: preflightPng },
  WebP: { isIt: isWebp, look: preflightWebp },
  GIF: { isIt: isGif, look: preflightGif },
  AVIF: { isIt: isAvif, look: preflightAvif },
  TIFF: { isIt: isTiff, look: preflightTiff },
};
