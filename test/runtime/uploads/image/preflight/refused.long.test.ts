import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "../../../../../runtime/errors/index.js";
import { processImage } from "../../../../../runtime/uploads/image/process.js";
import {
  blackPng,
  emptyGif,
  emptyTiff,
  pngChunk,
  repeatedScan,
  resizedAvif,
  resizedJpeg,
} from "../../../../support/pictures/broken-pictures.js";
import { fields, pictureFolder, plain, profileOf } from "../../../../support/pictures/pictures.js";
import { processorMs } from "../../../../support/processes/processor-time.js";

const profile = profileOf({ width: 100, height: 100, fit: "contain" });
const damaged = "The picture is damaged, or of an unsupported kind";
const tooLarge = "The picture has more than 100,000,000 pixels";
let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
  await processImage(await folder.write(blackPng(10, 10)), profile);
});
afterAll(() => folder.remove());

async function refusalOf(bytes: Uint8Array): Promise<Refusal> {
  const outcome = await processImage(await folder.write(bytes), profile).catch((error) => error);
  expect(outcome).toBeInstanceOf(Refusal);
  return outcome;
}

async function expectRefused(bytes: Uint8Array, error = damaged) {
  expect(await refusalOf(bytes)).toEqual(new Refusal("INVALID", { error }));
}

function noise(): Sharp {
  const bytes = randomBytes(300 * 200 * 3);
  return sharp(bytes, { raw: { width: 300, height: 200, channels: 3 } }).blur(1);
}

/** Each is made once. */
const whole = onceEach({
  jpeg: () => noise().jpeg(),
  "progressive jpeg": () => noise().jpeg({ progressive: true }),
  png: () => noise().png(),
  webp: () => noise().webp(),
  "lossless webp": () => noise().webp({ lossless: true }),
  gif: () => noise().gif(),
  avif: () => noise().avif(),
  tiff: () => noise().tiff({ compression: "lzw" }),
  "tiff with jpeg": () => noise().tiff({ compression: "jpeg" }),
});

function onceEach(
  makers: Readonly<Record<string, () => Sharp>>,
): Record<string, () => Promise<Buffer>> {
  return Object.fromEntries(
    Object.entries(makers).map(([format, make]) => {
      let made: Promise<Buffer> | null = null;
      return [format, () => (made ??= make().toBuffer())];
    }),
  );
}

test.each(Object.entries(whole))("a %s that is cut off anywhere is refused", async (_, make) => {
  const bytes = await make();
  await expectRefused(bytes.subarray(0, bytes.length * 0.6));
  await expectRefused(bytes.subarray(0, 30));
  for (const lost of [20, 12, 10, 4, 2]) {
    await expectRefused(bytes.subarray(0, bytes.length - lost));
  }
});

test.each(Object.entries(whole).filter(([format]) => format !== "gif"))(
  "a %s that lacks its last byte is refused",
  async (_, make) => expectRefused((await make()).subarray(0, -1)),
);

test("a JPEG whose lost rest is hidden by an end mark is refused", async () => {
  const bytes = await noise().jpeg().toBuffer();
  const half = bytes.subarray(0, bytes.length * 0.6);
  await expectRefused(Buffer.concat([half, bytes.subarray(-2)]));
});

test("pixels with a wrong checksum are refused", async () => {
  const bytes = await noise().png().toBuffer();
  const at = bytes.indexOf("IEND") - 6;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 255, at);
  await expectRefused(bytes);
});

test.each([
  ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'],
  ["an SVG after a declaration", '<?xml version="1.0"?><svg width="10" height="10"></svg>'],
  ["a PDF", "%PDF-1.4\n1 0 obj\n<<>>\nendobj\n"],
  ["a PPM", "P3\n1 1\n255\n0 0 0\n"],
  ["a Radiance picture", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\0\0\0\0"],
  ["a table", "1,2,3\n4,5,6\n"],
  ["text", "hello"],
  ["nothing", ""],
])("%s is refused", (_, content) => expectRefused(Buffer.from(content)));

test("libvips's own format is refused", async () => {
  const header = Buffer.alloc(64);
  header.writeUInt32BE(0x08f2a6b6);
  header.writeUInt32LE(1, 4);
  header.writeUInt32LE(1, 8);
  await expectRefused(header);
});

test("unusual but complete pictures are accepted", async () => {
  const jpeg = await noise().jpeg().toBuffer();
  const png = await noise().png().toBuffer();
  const brokenTime = pngChunk("tIME", Buffer.alloc(7));
  brokenTime.writeUInt8(brokenTime.readUInt8(16) ^ 255, 16);
  const odd = [
    Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(13), jpeg.subarray(20)]),
    Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(13), jpeg.subarray(-2)]),
    Buffer.concat([jpeg, Buffer.from("<script>alert(1)</script>")]),
    Buffer.concat([png, Buffer.from("<script>alert(1)</script>")]),
    Buffer.concat([png.subarray(0, 33), brokenTime, png.subarray(33)]),
  ];
  for (const bytes of odd) {
    const { main } = await processImage(await folder.write(bytes), profile);
    expect(main).toMatchObject({ width: 100, height: 67 });
    expect(main.bytes.includes("script")).toBe(false);
  }
});

/** A machine that has other things to do may be late once. */
async function fastest(bytes: Uint8Array, error: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const path = await folder.write(bytes);
    let outcome: unknown;
    const spent = await processorMs(async () => {
      outcome = await processImage(path, profile).catch((thrown) => thrown);
    });
    times.push(spent);
    expect(outcome).toEqual(new Refusal("INVALID", { error }));
  }
  return Math.min(...times);
}

test.each([
  ["PNG", () => blackPng(30_000, 30_000)],
  ["TIFF", () => emptyTiff(30_000, 30_000)],
  ["GIF", () => emptyGif(30_000, 30_000)],
  ["JPEG", async () => resizedJpeg(await plain(30, 20, "red").jpeg().toBuffer(), 30_000, 30_000)],
  ["AVIF", async () => resizedAvif(await plain(64, 64, "red").avif().toBuffer(), 30_000, 30_000)],
])("a %s of 30 000 × 30 000 pixels is refused by its header", async (_, make) => {
  expect(await fastest(await make(), tooLarge)).toBeLessThan(100);
});

test("a WebP that declares 16 384 × 16 384 pixels and has 30 × 20 is refused by its header", async () => {
  const bytes = await plain(30, 20, "red").webp({ lossless: true }).toBuffer();
  const at = bytes.indexOf("VP8L") + 9;
  bytes.writeUInt32LE(bytes.readUInt32LE(at) | 0x0fffffff, at);
  expect(await fastest(bytes, tooLarge)).toBeLessThan(100);
});

test("100,000,000 pixels are accepted, and one row more is not", async () => {
  const { main } = await processImage(await folder.write(blackPng(10_000, 10_000)), profile);
  expect(main).toMatchObject({ width: 100, height: 100 });
  await expectRefused(blackPng(10_000, 10_001), tooLarge);
});

test("a line of 65 535 pixels is accepted, and one of 65 536 refused by its header", async () => {
  const { main } = await processImage(await folder.write(blackPng(65_535, 1)), profile);
  expect(main).toMatchObject({ width: 100, height: 1 });
  const bytes = blackPng(65_536, 1);
  expect(await fastest(bytes, "The picture is wider or taller than 65,535 pixels")).toBeLessThan(
    100,
  );
});

test("an AVIF whose stream is larger than its container declares is refused", async () => {
  const bytes = await plain(2000, 2000, "red").avif({ effort: 0 }).toBuffer();
  await expectRefused(resizedAvif(bytes, 64, 64));
});

test.each(["iCCP", "zTXt"])("a %s chunk that unpacks to 100 MB is not unpacked", async (name) => {
  const packed = deflateSync(Buffer.alloc(100_000_000), { level: 9 });
  const chunk = pngChunk(name, Buffer.concat([Buffer.from("name\0\0"), packed]));
  const path = await folder.write(blackPng(10, 10, chunk));
  const before = process.resourceUsage().maxRSS;
  const { main } = await processImage(path, profile);
  expect(main).toMatchObject({ width: 10, height: 10 });
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(50_000);
});

/** A TIFF of one pixel, of a colour and so many samples more. */
function tiffWithMore(samples: number): Buffer {
  const all = 3 + samples;
  const tags = [
    [256, 1, 1],
    [257, 1, 1],
    [258, all, 200],
    [259, 1, 1],
    [262, 1, 2],
    [273, 1, 240],
    [277, 1, all],
    [278, 1, 1],
    [279, 1, all],
    [338, samples, 0],
  ] as const;
  const file = Buffer.alloc(256, 0);
  file.write("II*\0\x08", "latin1");
  file.writeUInt16LE(tags.length, 8);
  for (const [index, [tag, count, value]] of tags.entries()) {
    file.writeUInt16LE(tag, 10 + index * 12);
    file.writeUInt16LE(3, 12 + index * 12);
    file.writeUInt32LE(count, 14 + index * 12);
    file.writeUInt32LE(value, 18 + index * 12);
  }
  for (let at = 200; at < 200 + all * 2; at += 2) file.writeUInt16LE(8, at);
  return file.fill(200, 240);
}

test("a TIFF may have one sample besides its colour, and is refused with two", async () => {
  const { main } = await processImage(await folder.write(tiffWithMore(1)), profile);
  expect(main).toMatchObject({ width: 1, height: 1 });
  await expectRefused(
    tiffWithMore(2),
    "This TIFF has more channels than its colors and transparency need",
  );
});

test("a JPEG of more than a hundred scans is refused before any is decoded", async () => {
  const progressive = await fields({ width: 300, height: 200 })
    .jpeg({ progressive: true })
    .toBuffer();
  await expectRefused(repeatedScan(progressive, 100), "The picture has more than 100 layers");
});

test("a missing file is not the client's fault", async () => {
  const missing = await processImage("/no/such/file", profile).catch((error) => error);
  expect(missing).toMatchObject({ code: "ENOENT" });
});
