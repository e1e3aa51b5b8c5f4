import type { Metadata } from "sharp";
import type { ColourSpace } from "../colours/coded.js";
import { preflight } from "../preflight/preflight.js";
import { refuseOversize } from "../rules/limits.js";
import { memoryOf } from "../rules/memory.js";
import { reading, refuseDamaged, refuseHeic } from "../rules/refuse.js";
import type { Size } from "../rules/size.js";
import { sizeOfDrawing } from "./drawing.js";
import { makeStill } from "./sequence.js";
import { decodesHeic, loadSharp } from "./sharp.js";
import { makeTransparent } from "./transparent-gif.js";

export interface Drawing {
  /** The memory limit, in bytes. */
  readonly maxBytes: number;
}

/** What is known of a picture before it is decoded. */
export interface Header {
  readonly path: string;
  /** Null for a raster picture. */
  readonly drawing: Drawing | null;
  readonly isJpeg: boolean;
  readonly isHeic: boolean;
  /** The size after rotation to upright. */
  readonly size: Size;
  /**
   * Whether sharp converts to Display P3, as it does for 16-bit pictures with a profile, and a conversion to sRGB must
   * follow.
   */
  readonly endsInP3: boolean;
  /** Whether some pixels may be transparent. */
  readonly hasAlpha: boolean;
  /** The color space if the file describes it by code points; null for sRGB and for ICC profiles. */
  readonly colours: ColourSpace | null;
  /** Whether those code points override an ICC profile. */
  readonly ignoresProfile: boolean;
  /** The approximate memory of the decoder, in bytes. */
  readonly decoderBytes: number;
}

/**
 * Reads the header of a picture file. Refuses with `INVALID`, before decoding, a file that is not a supported picture
 * or is too large to decode. SVG is accepted only if a drawing is expected.
 */
export async function readHeader(path: string, drawing: Drawing | null = null): Promise<Header> {
  if (drawing !== null) return { ...drawn, path, drawing, size: await sizeOfDrawing(path) };
  const { colours, ignoresProfile, decoderBytes, emptyCanvasEnd, isHeic } = await preflight(path, {
    decodesHeic,
  });
  await makeStill(path);
  if (emptyCanvasEnd !== null) await makeTransparent(path, emptyCanvasEnd);
  const found = await readMetadata(path, isHeic ? refuseHeic : refuseDamaged);
  refuseOversize(found);
  if (found.format === "svg" || hasMoreThanColour(found)) refuseDamaged();
  return {
    path,
    drawing,
    isJpeg: found.format === "jpeg",
    isHeic,
    size: { width: found.autoOrient.width, height: found.autoOrient.height },
    endsInP3: found.space === "rgb16" && found.hasProfile && !ignoresProfile,
    hasAlpha: found.hasAlpha,
    colours,
    ignoresProfile,
    decoderBytes: decoderBytes ?? memoryOf(found),
  };
}

/** The properties of every drawing. */
const drawn = {
  isJpeg: false,
  isHeic: false,
  endsInP3: false,
  hasAlpha: true,
  colours: null,
  ignoresProfile: false,
  // The drawing process limits its memory.
  decoderBytes: 0,
} as const;

/** Whether there are channels besides color and transparency; a TIFF may have any number. */
function hasMoreThanColour({ channels, space }: Metadata): boolean {
  return channels > (space === "cmyk" ? 5 : 4);
}

async function readMetadata(path: string, onError: () => never): Promise<Metadata> {
  const open = await loadSharp();
  return reading(
    path,
    () => open(path, { failOn: "error", limitInputPixels: false }).metadata(),
    onError,
  );
}
