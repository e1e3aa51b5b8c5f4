import type { ColourSpace } from "../colours/coded.js";

/** What the structure of a picture file shows beyond the metadata that the library reports. */
export interface Preflight {
  /** The color space if the header describes it by code points; null for sRGB and for ICC profiles. */
  readonly colours: ColourSpace | null;
  /** Whether the code points override an ICC profile in the same file. */
  readonly ignoresProfile: boolean;
  /** The approximate memory of the decoder; null if it can be estimated from the library's metadata. */
  readonly decoderBytes: number | null;
  /**
   * The offset of the end of a GIF whose first frame leaves part of its canvas empty; null for every other picture. The
   * library renders the empty part black unless a frame declares transparency.
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
