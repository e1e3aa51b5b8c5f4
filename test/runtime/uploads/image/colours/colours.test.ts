import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processImage } from "../../../../../runtime/uploads/image/process.js";
import {
  distance,
  fieldColours,
  fields,
  fieldsOf,
  pictureFolder,
  plain,
  profileOf,
  webpChunks,
} from "../../../../support/pictures/pictures.js";

const profile = profileOf(
  { width: 60, height: 60, fit: "contain" },
  { width: 20, height: 20, fit: "cover" },
);
let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterAll(() => folder.remove());

test.each([
  "adobe-rgb.jpg",
  "adobe-rgb-16.png",
  "everything.jpg",
  "everything.png",
  "everything.tiff",
  "lab-16.tiff",
  "planar-big-endian.tiff",
])("%s has its colours in sRGB", async (name) => {
  const { main } = await processImage(await folder.fixture(name), profile);
  expect(distance(await fieldsOf(main), fieldColours)).toBeLessThan(16);
});

const formats = ["jpeg", "png", "webp", "tiff", "avif"] as const;

test.each(formats)("Display P3 in %s is converted to sRGB", async (format) => {
  const image = fields({ width: 600, height: 400 }).withIccProfile("p3").toFormat(format);
  const { main } = await processImage(await folder.save(image), profile);
  expect(distance(await fieldsOf(main), fieldColours)).toBeLessThan(16);
});

test("16 bits with and without a profile have the same colours", async () => {
  const image = () => fields({ width: 60, height: 40 }).toColourspace("rgb16");
  const without = await processImage(await folder.save(image().png()), profile);
  const tagged = image().withIccProfile("p3").png();
  const within = await processImage(await folder.save(tagged), profile);
  expect(distance(await fieldsOf(without.main), fieldColours)).toBeLessThan(16);
  expect(distance(await fieldsOf(within.main), fieldColours)).toBeLessThan(16);
});

test("CMYK with a profile keeps colours that ink can show", async () => {
  const image = plain(60, 40, "rgb(150, 120, 100)").removeAlpha().toColourspace("cmyk");
  const path = await folder.save(image.withIccProfile("cmyk").jpeg({ quality: 95 }));
  const { main } = await processImage(path, profile);
  const [colour = [0, 0, 0]] = await fieldsOf(main);
  expect(distance([colour], [[150, 120, 100]])).toBeLessThan(24);
});

test("CMYK without a profile is not its own negative", async () => {
  const { main } = await processImage(await folder.fixture("cmyk.jpg"), profile);
  expect(distance(await fieldsOf(main), fieldColours)).toBeLessThan(80);
});

test.each([
  ["8 bits", "b-w"],
  ["16 bits", "grey16"],
] as const)("grey of %s stays grey", async (_, space) => {
  const image = fields({ width: 60, height: 40 }).greyscale().toColourspace(space).png();
  const { main } = await processImage(await folder.save(image), profile);
  for (const [red, green, blue] of await fieldsOf(main)) {
    expect(Math.abs(red - green) + Math.abs(green - blue)).toBeLessThan(8);
  }
});

test("a palette of few colours and one bit a pixel are read", async () => {
  const palette = fields({ width: 60, height: 40 }).png({ palette: true, colours: 4 });
  const { main } = await processImage(await folder.save(palette), profile);
  expect(distance(await fieldsOf(main), fieldColours)).toBeLessThan(16);
  const fax = await processImage(await folder.fixture("fax.tiff"), profile);
  expect(fax.main).toMatchObject({ width: 60, height: 40 });
});

test.each(["everything.jpg", "everything.png", "everything.tiff"])(
  "of %s only the picture is stored",
  async (name) => {
    const path = await folder.fixture(name);
    expect((await readFile(path)).includes("SECRET")).toBe(true);
    const { main, renditions } = await processImage(path, profile);
    for (const { bytes } of [main, renditions.thumb ?? main]) {
      expect(webpChunks(bytes)).toEqual(["VP8 "]);
    }
  },
);

test.each(formats)("of %s, location, title and profile are dropped", async (format) => {
  const image = fields({ width: 60, height: 40 })
    .withExif({ IFD0: { Make: "SECRET" }, IFD3: { GPSLatitude: "48/1 8/1 13/1" } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>SECRET</a></x:xmpmeta>')
    .withIccProfile("p3")
    .toFormat(format);
  const path = await folder.save(image);
  expect((await readFile(path)).includes("SECRET")).toBe(true);
  const { main, renditions } = await processImage(path, profile);
  expect(webpChunks(main.bytes)).toEqual(["VP8 "]);
  expect(webpChunks(renditions.thumb?.bytes ?? main.bytes)).toEqual(["VP8 "]);
});

test("metadata of a transparent picture are dropped, too", async () => {
  const image = fields({ width: 60, height: 40 })
    .ensureAlpha(0.5)
    .withExif({ IFD0: { Make: "SECRET" } })
    .withIccProfile("p3")
    .png();
  const { main } = await processImage(await folder.save(image), profile);
  expect(webpChunks(main.bytes)).toEqual(["VP8L"]);
});
