import type { ColourSpace } from "../colours/coded.js";

/** What is found out of a picture by looking at its header, and is not left to the library. */
export interface Preflight {
  /** What the colours mean where the header gives them in numbers; null for sRGB and for ICC profiles. */
  readonly colours: ColourSpace | null;
  /** Whether those numbers are worth more than an ICC profile that is there as well. */
  readonly ignoresProfile: boolean;
  /** About how much memory the decoder takes; null where the library's own view of the header tells. */
  readonly decoderBytes: number | null;
  /**
   * Where a GIF ends whose first frame leaves some of its canvas empty; null for every other picture.
   * libvips shows what is empty as black unless a frame says that it has transparency.
   */
  readonly emptyCanvasEnd: number | null;
}

/** Of a picture whose header says no more than the library sees. */
export const noFindings: Preflight = {
  colours: null,
  ignoresProfile: false,
  decoderBytes: null,
  emptyCanvasEnd: null,
};
