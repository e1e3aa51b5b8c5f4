import { open } from "node:fs/promises";

/** A second frame of one transparent pixel, and the end mark. It is never shown. */
const transparentFrame = Buffer.from([
  // That colour 0 is transparent.
  ...[0x21, 0xf9, 4, 1, 0, 0, 0, 0],
  // A frame of 1 × 1 in the corner, with two colours of its own.
  ...[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0],
  // Its pixel, packed.
  ...[2, 2, 0x44, 1, 0],
  0x3b,
]);

/**
 * Makes a GIF on disk, which ends there, one that has transparency: libvips leaves out the transparency of
 * a file no frame of which says that it has some, and what the first frame leaves empty turns black.
 */
export async function makeTransparent(path: string, end: number): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.write(transparentFrame, 0, transparentFrame.length, end);
  } finally {
    await file.close();
  }
}
