import { open } from "node:fs/promises";

/** A second frame of one transparent pixel, and the trailer. The frame is never shown. */
const transparentFrame = Buffer.from([
  // Declares color 0 transparent.
  ...[0x21, 0xf9, 4, 1, 0, 0, 0, 0],
  // A frame of 1 × 1 in the corner, with its own palette of two colors.
  ...[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0],
  // The frame's pixel, compressed.
  ...[2, 2, 0x44, 1, 0],
  0x3b,
]);

/**
 * Appends a transparent frame to a GIF on disk. libvips ignores transparency if no frame declares it, and would render
 * the empty parts of the first frame black.
 */
export async function makeTransparent(path: string, end: number): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.write(transparentFrame, 0, transparentFrame.length, end);
  } finally {
    await file.close();
  }
}
