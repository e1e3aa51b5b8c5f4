import { open } from "node:fs/promises";

const brandAt = 8;

/**
 * Turns an AVIF sequence on disk into an AVIF picture by changing the four bytes of its brand. Its first picture is
 * stored like a still picture, and libvips checks only the brand. Leaves other files unchanged.
 */
export async function makeStill(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    const { buffer } = await file.read(Buffer.alloc(brandAt + 4), 0, brandAt + 4, 0);
    if (buffer.toString("latin1", 4) !== "ftypavis") return;
    await file.write("avif", brandAt, "latin1");
  } finally {
    await file.close();
  }
}
