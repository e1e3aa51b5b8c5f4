import { refusePicture } from "./refuse.js";
import type { Size } from "./size.js";

/** Maximum number of pixels of the first frame's canvas. */
const maxPixels = 100_000_000;
/**
 * Pixels per side, the limit of JPEG and GIF. Decoders that work line by line hold hundreds of lines: with a million
 * pixels each, that is gigabytes.
 */
const maxSide = 65_535;
/** Maximum number of frames or pages. Libraries scan all of them before they decode the first. */
const maxFrames = 5000;
/** Maximum number of scans of a JPEG; encoders write about ten. */
const maxScans = 100;

export function refuseOversize({ width, height }: Size): void {
  if (width * height > maxPixels) refuseArea();
  if (Math.max(width, height) > maxSide) {
    refusePicture("The picture is wider or taller than 65,535 pixels");
  }
}

/** Refuses a picture with too many pixels. */
export function refuseArea(): never {
  return refusePicture("The picture has more than 100,000,000 pixels");
}

export function refuseTooManyFrames(frames: number): void {
  if (frames > maxFrames) refusePicture("The picture has more than 5,000 frames");
}

/**
 * Refuses a JPEG with more scans than real pictures have. Each scan of a progressive JPEG covers the whole picture, and
 * may take a dozen bytes. Two thousand scans in a file of 700 kB keep a CPU busy for half a minute, and libjpeg has no
 * limit.
 */
export function refuseTooManyScans(scans: number): void {
  if (scans > maxScans) {
    refusePicture("The picture has more than 100 layers");
  }
}
