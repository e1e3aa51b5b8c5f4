import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Refusal } from "../../../../../runtime/errors/index.js";
import { processImage } from "../../../../../runtime/uploads/image/process.js";
import { pngChunk } from "../../../../support/pictures/broken-pictures.js";
import {
  type Colour,
  distance,
  fieldColours,
  fields,
  fieldsOf,
  pictureFolder,
  profileOf,
} from "../../../../support/pictures/pictures.js";

const profile = profileOf({ width: 64, height: 64, fit: "contain" });
const size = { width: 64, height: 48 };
let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterAll(() => folder.remove());

/** The numbers of ITU-T H.273 for colours and transfer; the other two say nothing here. */
type Numbers = readonly [primaries: number, transfer: number];

/** A PNG with those numbers before its pixels. */
async function codedPng(image: Sharp, [primaries, transfer]: Numbers): Promise<Buffer> {
  const png = await image.png().toBuffer();
  const chunk = pngChunk("cICP", Buffer.from([primaries, transfer, 0, 1]));
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

/** An AVIF whose container gives those numbers, in the place of the profile that sharp has written. */
async function codedAvif(image: Sharp, [primaries, transfer]: Numbers): Promise<Buffer> {
  const options = { quality: 95, chromaSubsampling: "4:4:4" };
  const avif = await image.withIccProfile("srgb").avif(options).toBuffer();
  const at = avif.indexOf("colrrICC") + 4;
  expect(at).toBeGreaterThan(4);
  avif.write("nclx", at, "latin1");
  for (const [index, number] of [primaries, transfer, 6].entries()) {
    avif.writeUInt16BE(number, at + 4 + index * 2);
  }
  avif.writeUInt8(0x80, at + 10);
  return avif;
}

const formats = { PNG: codedPng, AVIF: codedAvif } as const;
const each = Object.entries(formats);

/** The four fields in other colours than sRGB's: their own numbers there. */
async function fieldsIn(profileName: string): Promise<Sharp> {
  const { data, info } = await fields(size)
    .withIccProfile(profileName)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels } });
}

/** A picture in one colour. */
function plainOf([r, g, b]: Colour): Sharp {
  return sharp({ create: { ...size, channels: 3, background: { r, g, b } } });
}

async function storedColour(bytes: Uint8Array): Promise<readonly Colour[]> {
  const { main } = await processImage(await folder.write(bytes), profile);
  return fieldsOf(main);
}

describe.each(each)("%s", (_, coded) => {
  test("in Display P3 is converted to sRGB", async () => {
    const colours = await storedColour(await coded(await fieldsIn("p3"), [12, 13]));
    expect(distance(colours, fieldColours)).toBeLessThan(8);
  });

  test("in sRGB, or with unspecified numbers, stays unchanged", async () => {
    for (const numbers of [
      [1, 13],
      [1, 1],
      [2, 2],
      [6 - 5, 6],
    ] as const) {
      const colours = await storedColour(await coded(fields(size), numbers));
      expect(distance(colours, fieldColours)).toBeLessThan(8);
    }
  });

  // Computed with the matrices of ITU-R BT.2087 and sRGB's curve.
  test.each([
    [
      [9, 13],
      [188, 188, 188],
      [188, 188, 188],
    ],
    [
      [9, 14],
      [150, 120, 100],
      [167, 116, 96],
    ],
    [
      [1, 8],
      [55, 55, 55],
      [128, 128, 128],
    ],
    [
      [1, 4],
      [128, 128, 128],
      [128, 128, 128],
    ],
  ] as const)("of the numbers %j shows %j as %j", async (numbers, given, shown) => {
    const colours = await storedColour(await coded(plainOf(given), numbers));
    expect(distance(colours, [shown, shown, shown, shown])).toBeLessThan(5);
  });

  test.each([
    [16, "PQ"],
    [18, "HLG"],
  ])("of transfer %i (%s) is refused", async (transfer, name) => {
    const path = await folder.write(await coded(fields(size), [9, transfer]));
    const error = `The picture is HDR (${name}): export it in standard dynamic range`;
    await expect(processImage(path, profile)).rejects.toEqual(new Refusal("INVALID", { error }));
  });

  test("in logarithms or XYZ is refused", async () => {
    const error = "The picture has an unsupported color space: export it in sRGB";
    for (const numbers of [
      [1, 9],
      [1, 17],
      [10, 13],
    ] as const) {
      const path = await folder.write(await coded(fields(size), numbers));
      await expect(processImage(path, profile)).rejects.toEqual(new Refusal("INVALID", { error }));
    }
  });

  test("with transparency keeps it", async () => {
    const image = (await fieldsIn("p3")).ensureAlpha(0.5);
    const { main } = await processImage(await folder.write(await coded(image, [12, 13])), profile);
    expect(distance(await fieldsOf(main), fieldColours)).toBeLessThan(8);
    expect((await sharp(main.bytes).stats()).channels[3]?.mean).toBeCloseTo(128, -1);
  });
});

test("numbers in a PNG take precedence over its profile", async () => {
  const png = await codedPng(fields(size).withIccProfile("p3"), [12, 13]);
  expect(distance(await storedColour(png), fieldColours)).toBeLessThan(8);
  const wrong = await codedPng(fields(size).withIccProfile("p3"), [1, 13]);
  expect(distance(await storedColour(wrong), fieldColours)).toBeGreaterThan(8);
});

test("a profile in an AVIF takes precedence over the numbers of its stream", async () => {
  const avif = await fields(size).withIccProfile("p3").avif({ quality: 95 }).toBuffer();
  expect(distance(await storedColour(avif), fieldColours)).toBeLessThan(12);
});

test("numbers after a PNG's pixels are ignored", async () => {
  const png = await fields(size).png().toBuffer();
  const chunk = pngChunk("cICP", Buffer.from([9, 16, 0, 1]));
  const late = Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)]);
  expect(distance(await storedColour(late), fieldColours)).toBeLessThan(8);
});
