import type { ColourSpace } from "../colours/coded.js";

/** The findings of our own examination of a picture's structure, beyond what the library reports. */
export interface Preflight {
  /** The colour space if the header describes it by numbers; null for sRGB and for ICC profiles. */
  readonly colours: ColourSpace | null;
  /** Whether those numbers override an ICC profile in the same file. */
  readonly ignoresProfile: boolean;
  /** The approximate memory of the decoder; null if it can be estimated from the library's metadata. */
  readonly decoderBytes: number | null;
  /**
   * The end of a GIF whose first frame leaves part of its canvas empty; null for every other picture. libvips
   * shows the empty part as black unless a frame declares transparency.
   */
  readonly emptyCanvasEnd: number | null;
  readonly isHeic: boolean;
}

/** The capabilities of the installed libvips. */
export interface Library {
  decodesHeic(): Promise<boolean>;
}

/** The result for a picture that the library's metadata describes completely. */
export const noFindings: Preflight = {
  colours: null,
  ignoresProfile: false,
  decoderBytes: null,
  emptyCanvasEnd: null,
  isHeic: false,
};
