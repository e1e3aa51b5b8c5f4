import type { Metadata } from "sharp";
import type { ColourSpace } from "../colours/coded.js";
import { preflight } from "../preflight/preflight.js";
import { refuseOversize } from "../rules/limits.js";
import { memoryOf } from "../rules/memory.js";
import { reading, refuseDamaged } from "../rules/refuse.js";
import type { Size } from "../rules/size.js";
import { makeStill } from "./sequence.js";
import { loadSharp } from "./sharp.js";
import { makeTransparent } from "./transparent-gif.js";

/** What is known about a picture before it is decoded. */
export interface Header {
  readonly path: string;
  readonly isJpeg: boolean;
  /** The size of the upright picture. */
  readonly size: Size;
  /** Whether sharp converts to Display P3, as it does 16-bit pictures with a profile, so that sRGB must follow. */
  readonly endsInP3: boolean;
  /** Whether some pixels may be transparent. */
  readonly hasAlpha: boolean;
  /** What the colours mean where the file gives them in numbers; null for sRGB and for ICC profiles. */
  readonly colours: ColourSpace | null;
  /** Whether an ICC profile is ignored, since those numbers override it. */
  readonly ignoresProfile: boolean;
  /** About how much memory the decoder takes. */
  readonly decoderBytes: number;
}

/**
 * Reads the header of a picture file. Refuses with `INVALID` a file that is not a picture of a supported kind, or
 * is too large to decode, before any of it is decoded.
 */
export async function readHeader(path: string): Promise<Header> {
  const { colours, ignoresProfile, decoderBytes, emptyCanvasEnd } = await preflight(path);
  await makeStill(path);
  if (emptyCanvasEnd !== null) await makeTransparent(path, emptyCanvasEnd);
  const found = await readMetadata(path);
  refuseOversize(found);
  if (hasMoreThanColour(found)) refuseDamaged();
  return {
    path,
    isJpeg: found.format === "jpeg",
    size: { width: found.autoOrient.width, height: found.autoOrient.height },
    endsInP3: found.space === "rgb16" && found.hasProfile && !ignoresProfile,
    hasAlpha: found.hasAlpha,
    colours,
    ignoresProfile,
    decoderBytes: decoderBytes ?? memoryOf(found),
  };
}

/** Whether there are channels besides colours and transparency; a TIFF may have any number. */
function hasMoreThanColour({ channels, space }: Metadata): boolean {
  return channels > (space === "cmyk" ? 5 : 4);
}

async function readMetadata(path: string): Promise<Metadata> {
  const open = await loadSharp();
  return reading(path, () => open(path, { failOn: "error", limitInputPixels: false }).metadata());
}
