import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ImageSize } from "../../../../runtime/config/index.js";
import { makeRenditions, processImage } from "../../../../runtime/uploads/image/process.js";
import {
  distance,
  fieldColours,
  fields,
  fieldsOf,
  pictureFolder,
  plain,
  profileOf,
  webpChunks,
} from "../../../support/pictures/pictures.js";

const small: ImageSize = { width: 30, height: 30, fit: "contain" };
const square: ImageSize = { width: 20, height: 20, fit: "cover" };
let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterAll(() => folder.remove());

test.each(["animated.gif", "animated.webp", "pages.tiff", "sequence.avif"])(
  "of %s the first picture is used",
  async (name) => {
    const { main } = await processImage(await folder.fixture(name), profileOf(small));
    expect(main).toMatchObject({ width: 30, height: 20 });
    expect(distance(await fieldsOf(main), fieldColours)).toBeLessThan(16);
  },
);

const sideways = [2, 0, 3, 1];
const orders: Readonly<Record<number, readonly number[]>> = {
  1: [0, 1, 2, 3],
  2: [1, 0, 3, 2],
  3: [3, 2, 1, 0],
  4: [2, 3, 0, 1],
  5: [0, 2, 1, 3],
  6: sideways,
  7: [3, 1, 2, 0],
  8: [1, 3, 0, 2],
};
const formats = ["jpeg", "png", "webp", "tiff", "avif"] as const;
const turned = formats.flatMap((format) =>
  Object.entries(orders).map(([orientation, order]) => ({ format, orientation, order })),
);

test.each(turned)("$format of orientation $orientation is turned upright", async (picture) => {
  const { format, orientation, order } = picture;
  const image = fields({ width: 600, height: 400 })
    .withMetadata({ orientation: Number(orientation) })
    .toFormat(format);
  const profile = profileOf({ width: 60, height: 60, fit: "contain" }, square);
  const { main, renditions } = await processImage(await folder.save(image), profile);
  const isSideways = Number(orientation) > 4;
  expect(main).toMatchObject(isSideways ? { width: 40, height: 60 } : { width: 60, height: 40 });
  const upright = order.flatMap((field) => fieldColours.slice(field, field + 1));
  expect(distance(await fieldsOf(main), upright)).toBeLessThan(16);
  expect(distance(await fieldsOf(renditions.thumb ?? main), upright)).toBeLessThan(16);
});

test("an AVIF picture is rotated by its own boxes, not by its Exif data", async () => {
  const { main } = await processImage(await folder.fixture("exif-6.avif"), profileOf(small));
  expect(main).toMatchObject({ width: 30, height: 20 });
  expect(distance(await fieldsOf(main), fieldColours)).toBeLessThan(16);
});

const sizes: ReadonlyArray<
  readonly [string, readonly [number, number], ImageSize, readonly [number, number]]
> = [
  ["contain fits within", [300, 200], { width: 100, height: 100, fit: "contain" }, [100, 67]],
  ["contain is never enlarged", [30, 20], { width: 100, height: 100, fit: "contain" }, [30, 20]],
  ["cover is exactly the size", [300, 200], { width: 100, height: 100, fit: "cover" }, [100, 100]],
  ["cover of too little is cut", [80, 30], { width: 100, height: 50, fit: "cover" }, [60, 30]],
  [
    "a line stays one pixel high",
    [30_000, 1],
    { width: 100, height: 50, fit: "contain" },
    [100, 1],
  ],
  ["of a line, cover is a dot", [1, 30_000], { width: 100, height: 100, fit: "cover" }, [1, 1]],
];

test.each(sizes)("%s: main and rendition", async (_, [width, height], size, expected) => {
  const path = await folder.save(plain(width, height, "red").png());
  const { main, renditions } = await processImage(path, profileOf(size, size));
  for (const { bytes, ...details } of [main, renditions.thumb ?? main]) {
    const stored = await sharp(bytes).metadata();
    expect([details.width, details.height]).toEqual(expected);
    expect([stored.width, stored.height]).toEqual(expected);
  }
});

test("avatar and its renditions have exactly their size, enlarged and cropped, even with contain", async () => {
  const profile = profileOf(
    { width: 100, height: 100, fit: "cover" },
    { width: 40, height: 20, fit: "contain" },
    "avatar",
  );
  const path = await folder.save(plain(30, 10, "red").png());
  const { main, renditions } = await processImage(path, profile);
  expect(main).toMatchObject({ width: 100, height: 100 });
  expect(renditions.thumb).toMatchObject({ width: 40, height: 20 });
  expect((await sharp(main.bytes).metadata()).height).toBe(100);
});

test("a rendition with contain shows the whole picture although the main one is cropped", async () => {
  const path = await folder.save(fields({ width: 400, height: 100 }).png());
  const profile = profileOf(square, { width: 40, height: 40, fit: "contain" });
  const { main, renditions } = await processImage(path, profile);
  expect(main).toMatchObject({ width: 20, height: 20 });
  expect(renditions.thumb).toMatchObject({ width: 40, height: 10 });
  expect(distance(await fieldsOf(renditions.thumb ?? main), fieldColours)).toBeLessThan(16);
});

test("a very long picture shows its middle in one output and all of it in another", async () => {
  const path = await folder.save(fields({ width: 60_000, height: 400 }).png());
  const profile = profileOf(
    { width: 300, height: 300, fit: "cover" },
    { width: 600, height: 600, fit: "contain" },
  );
  const { main, renditions } = await processImage(path, profile);
  expect(main).toMatchObject({ width: 300, height: 300 });
  expect(renditions.thumb).toMatchObject({ width: 600, height: 4 });
  expect(distance(await fieldsOf(main), fieldColours)).toBeLessThan(16);
});

test("a picture with transparency is stored losslessly, with its renditions", async () => {
  const picture = plain(30, 20, "rgba(10, 200, 30, 0.5)");
  const profile = profileOf(small, square);
  const { main, renditions } = await processImage(await folder.save(picture.png()), profile);
  expect(webpChunks(main.bytes)).toContain("VP8L");
  expect(webpChunks(renditions.thumb?.bytes ?? main.bytes)).toContain("VP8L");
  const pixels = await sharp(main.bytes).raw().toBuffer();
  expect([...pixels.subarray(0, 4)]).toEqual([10, 200, 30, 128]);
});

test.each(["png", "gif", "webp", "tiff"] as const)(
  "an alpha channel of a %s that is opaque throughout counts as none",
  async (format) => {
    const image = fields({ width: 60, height: 40 }).ensureAlpha(1).toFormat(format);
    const { main } = await processImage(await folder.save(image), profileOf(small));
    expect(webpChunks(main.bytes)).toEqual(["VP8 "]);
  },
);

test("renditions rebuilt from the stored picture have the same sizes", async () => {
  const profile = profileOf({ width: 60, height: 60, fit: "contain" }, square);
  const path = await folder.save(fields({ width: 300, height: 200 }).jpeg());
  const { main, renditions } = await processImage(path, profile);
  const stored = await folder.write(main.bytes);
  const again = await makeRenditions(stored, {
    ...profile,
    renditions: { ...profile.renditions, tiny: small },
  });
  expect(Object.keys(again)).toEqual(["thumb", "tiny"]);
  expect(again.thumb).toMatchObject({ width: 20, height: 20 });
  expect(again.tiny).toMatchObject({ width: 30, height: 20 });
  const [one, other] = [renditions.thumb ?? main, again.thumb ?? main];
  expect(distance(await fieldsOf(one), await fieldsOf(other))).toBeLessThan(16);
  expect(await readFile(stored)).toEqual(main.bytes);
});

test("a profile without renditions makes none", async () => {
  const path = await folder.save(plain(30, 20, "red").png());
  expect((await processImage(path, profileOf(small))).renditions).toEqual({});
  expect(await makeRenditions(path, profileOf(small))).toEqual({});
});

test("the same picture gives the same bytes", async () => {
  const path = await folder.save(fields({ width: 300, height: 200 }).jpeg());
  expect(await processImage(path, profileOf(small))).toEqual(
    await processImage(path, profileOf(small)),
  );
});
