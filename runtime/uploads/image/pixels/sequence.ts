import { open } from "node:fs/promises";

const brandAt = 8;

/**
 * Makes an AVIF sequence on disk an AVIF picture, by the four bytes of its brand: the same file has
 * its first picture where a still one has it, and libvips only looks at the brand. Leaves every
 * other file as it is.
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
