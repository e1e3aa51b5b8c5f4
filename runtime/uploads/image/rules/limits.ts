import { refusePicture } from "./refuse.js";
import type { Size } from "./size.js";

/** Of the first frame's canvas. */
const maxPixels = 100_000_000;
/**
 * What JPEG and GIF can have. Decoders that go from line to line hold hundreds of lines: of a million
 * pixels each, they hold gigabytes.
 */
const maxSide = 65_535;
/** Libraries go over all frames or pages before they decode the first. */
const maxFrames = 5000;
/** Encoders write about ten. */
const maxScans = 100;

/** Refuses what would be too much to decode. */
export function refuseOversize({ width, height }: Size): void {
  if (width * height > maxPixels) refusePicture("The picture has more than 100 000 000 pixels");
  if (Math.max(width, height) > maxSide) {
    refusePicture("The picture is longer than 65 535 pixels");
  }
}

/** Refuses what has more frames, or pages, than anybody looks at. */
export function refuseTooManyFrames(frames: number): void {
  if (frames > maxFrames) refusePicture("The picture has more than 5 000 frames");
}

/**
 * Refuses a JPEG of more layers than any has: a progressive one goes over the whole picture with
 * every scan, and a scan may take a dozen bytes: two thousand of them in a file of 700 kB keep a
 * processor busy for half a minute, and libjpeg does not mind.
 */
export function refuseTooManyScans(scans: number): void {
  if (scans > maxScans) {
    refusePicture("The picture is put together from more than 100 layers");
  }
}
