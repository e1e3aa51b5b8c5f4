import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processImage } from "../../../../../runtime/uploads/image/process.js";
import { pictureFolder, plain, profileOf } from "../../../../support/pictures/pictures.js";

const profile = profileOf({ width: 80, height: 60, fit: "contain" });
let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterAll(() => folder.remove());

interface Placed {
  readonly left: number;
  readonly top: number;
}

/** An opaque GIF of that colour whose frame of 40 × 30 lies in a canvas of 80 × 60. */
async function smallFrame({ left, top }: Placed, frames = 1): Promise<Buffer> {
  const gif = await plain(40, 30, "rgb(220, 30, 30)").removeAlpha().gif().toBuffer();
  // Without the control of its transparency that the encoder writes.
  const control = gif.indexOf(Buffer.from([0x21, 0xf9, 4]));
  const opaque =
    control < 0 ? gif : Buffer.concat([gif.subarray(0, control), gif.subarray(control + 8)]);
  opaque.writeUInt16LE(80, 6);
  opaque.writeUInt16LE(60, 8);
  const frame = opaque.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0, 40, 0, 30, 0]));
  expect(frame).toBeGreaterThan(0);
  opaque.writeUInt16LE(left, frame + 1);
  opaque.writeUInt16LE(top, frame + 3);
  const body = opaque.subarray(frame, -1);
  return Buffer.concat([
    opaque.subarray(0, frame),
    ...Array(frames).fill(body),
    opaque.subarray(-1),
  ]);
}

async function pixel(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const one = sharp(bytes).ensureAlpha().extract({ left, top, width: 1, height: 1 });
  return [...(await one.raw().toBuffer())];
}

test.each([
  [{ left: 0, top: 0 }, 1],
  [{ left: 40, top: 30 }, 1],
  [{ left: 20, top: 15 }, 3],
])("a GIF is transparent around a first frame at %j, of %i", async (place, frames) => {
  const bytes = await smallFrame(place, frames);
  for (const trailer of [
    Buffer.alloc(0),
    Buffer.from("more, and more of it than is added here, so that some is left"),
  ]) {
    const path = await folder.write(Buffer.concat([bytes, trailer]));
    const { main } = await processImage(path, profile);
    expect(main).toMatchObject({ width: 80, height: 60 });
    const [red = 0, green = 0, blue = 0, alpha] = await pixel(
      main.bytes,
      place.left + 20,
      place.top + 15,
    );
    expect(alpha).toBe(255);
    expect(Math.max(220 - red, Math.abs(green - 30), Math.abs(blue - 30))).toBeLessThan(8);
    const corner = place.left === 0 ? 79 : 0;
    expect((await pixel(main.bytes, corner, corner === 0 ? 0 : 59))[3]).toBe(0);
  }
});

test("a GIF whose first frame is its canvas stays opaque", async () => {
  const gif = await plain(80, 60, "red").removeAlpha().gif().toBuffer();
  const { main } = await processImage(await folder.write(gif), profile);
  expect((await pixel(main.bytes, 79, 59))[3]).toBe(255);
  expect((await sharp(main.bytes).metadata()).hasAlpha).toBe(false);
});
