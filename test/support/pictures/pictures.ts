import { randomUUID } from "node:crypto";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp, { type Sharp } from "sharp";
import type { ImageSize } from "../../../runtime/config/index.js";
import type { Picture } from "../../../runtime/uploads/image/pixels/encode.js";
import type { NamedProfile } from "../../../runtime/uploads/image/process.js";

const fixtures = fileURLToPath(new URL("../../../fixtures/pictures/", import.meta.url));

export type Colour = readonly [red: number, green: number, blue: number];

/** Contents of every fixture: four fields, from left to right and from top to bottom. */
export const fieldColours: readonly Colour[] = [
  [220, 30, 30],
  [30, 160, 60],
  [40, 60, 200],
  [230, 200, 40],
];

/** A separate folder for pictures, with functions that add some. */
export async function pictureFolder() {
  const folder = await mkdtemp(join(tmpdir(), "service-pictures-"));
  const place = () => join(folder, randomUUID());
  return {
    async write(bytes: Uint8Array): Promise<string> {
      const path = place();
      await writeFile(path, bytes);
      return path;
    },
    async save(image: Sharp): Promise<string> {
      const path = place();
      await writeFile(path, await image.toBuffer());
      return path;
    },
    /** A copy of one of `fixtures/pictures`. */
    async fixture(name: string): Promise<string> {
      const path = place();
      await copyFile(join(fixtures, name), path);
      return path;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** The four fields, in that size. */
export function fields({ width, height }: { width: number; height: number }): Sharp {
  const bytes = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1) {
    const isRight = at % width >= width / 2;
    const isBelow = at >= (width * height) / 2;
    bytes.set(fieldColours[(isBelow ? 2 : 0) + (isRight ? 1 : 0)] ?? [], at * 3);
  }
  return sharp(bytes, { raw: { width, height, channels: 3 } });
}

/** A picture in one colour. */
export function plain(width: number, height: number, background: string): Sharp {
  return sharp({ create: { width, height, channels: 4, background }, limitInputPixels: false });
}

/** The colours in the middle of the four fields of a stored picture. */
export async function fieldsOf({ bytes }: Pick<Picture, "bytes">): Promise<Colour[]> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): Colour => {
    const pixel = Math.floor(y * info.height) * info.width + Math.floor(x * info.width);
    return [data[pixel * 3] ?? 0, data[pixel * 3 + 1] ?? 0, data[pixel * 3 + 2] ?? 0];
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

/** Greatest difference between the values of two rows of colours. */
export function distance(one: readonly Colour[], other: readonly Colour[]): number {
  const [left, right] = [one.flat(), other.flat()];
  return Math.max(...left.map((value, at) => Math.abs(value - (right[at] ?? Infinity))));
}

/** Names of the chunks of a WebP file. */
export function webpChunks(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = 12; at < bytes.length; ) {
    names.push(bytes.toString("latin1", at, at + 4));
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return names;
}

/** A profile of that size with a thumbnail. */
export function profileOf(size: ImageSize, thumb?: ImageSize, name = "test"): NamedProfile {
  return { name, ...size, renditions: thumb === undefined ? {} : { thumb } };
}
