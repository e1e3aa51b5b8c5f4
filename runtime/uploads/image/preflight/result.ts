import type { ColourSpace } from "../colours/coded.js";

/** What our own examination of a picture's structure finds, beyond what the library reports. */
export interface Preflight {
  /** The colour space where the header gives it in numbers; null for sRGB and for ICC profiles. */
  readonly colours: ColourSpace | null;
  /** Whether those numbers override an ICC profile in the same file. */
  readonly ignoresProfile: boolean;
  /** About how much memory the decoder needs; null where the library's metadata is enough to estimate it. */
  readonly decoderBytes: number | null;
  /**
   * The end of a GIF whose first frame leaves part of its canvas empty; null for every other picture. libvips
   * shows the empty part as black unless a frame declares transparency.
   */
  readonly emptyCanvasEnd: number | null;
  /** Whether it is a HEIC. */
  readonly isHeic: boolean;
}

/** What the installed libvips can do. */
export interface Library {
  decodesHeic(): Promise<boolean>;
}

/** The result for a picture about which the library's metadata says everything. */
export const noFindings: Preflight = {
  colours: null,
  ignoresProfile: false,
  decoderBytes: null,
  emptyCanvasEnd: null,
  isHeic: false,
};
