import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "../../../../../runtime/errors/index.js";
import { readHeader } from "../../../../../runtime/uploads/image/pixels/header.js";
import { processImage } from "../../../../../runtime/uploads/image/process.js";
import {
  blackPng,
  emptyGif,
  pngChunk,
  resizedAvif,
  resizedJpeg,
} from "../../../../support/pictures/broken-pictures.js";
import { fields, pictureFolder, plain, profileOf } from "../../../../support/pictures/pictures.js";

let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterAll(() => folder.remove());

interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly isInterlaced?: boolean;
}

/** A PNG with transparency that has no pixels. */
function png({ width, height, depth = 8, isInterlaced = false }: PngHeader): Buffer {
  const black = blackPng(width, height);
  const header = Buffer.from(black.subarray(16, 29));
  header.set([depth, 6, 0, 0, isInterlaced ? 1 : 0], 8);
  const pixels = pngChunk("IDAT", Buffer.alloc(0));
  return Buffer.concat([
    black.subarray(0, 8),
    pngChunk("IHDR", header),
    pixels,
    black.subarray(-12),
  ]);
}

const jpeg = (isProgressive: boolean) => async () =>
  resizedJpegOf(await plain(30, 20, "red").jpeg({ progressive: isProgressive }).toBuffer());

/** A progressive one has another mark before its size. */
function resizedJpegOf(bytes: Buffer): Buffer {
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc2]));
  if (frame < 0) return resizedJpeg(bytes, 10_000, 10_000);
  bytes.writeUInt16BE(10_000, frame + 5);
  bytes.writeUInt16BE(10_000, frame + 7);
  return bytes;
}

const avif = async () => resizedAvif(await plain(64, 64, "red").avif().toBuffer(), 10_000, 10_000);
const megabyte = 1_000_000;

// What was measured of the process's growth, with real pictures of these sizes.
test.each([
  ["AVIF", avif, 1760],
  ["GIF", () => emptyGif(10_000, 10_000), 485],
  ["a progressive JPEG", jpeg(true), 320],
  ["an interlaced PNG", () => png({ width: 10_000, height: 10_000, isInterlaced: true }), 460],
  ["a wide PNG of 16 bits", () => png({ width: 65_535, height: 1525, depth: 16 }), 720],
  ["a wide PNG", () => png({ width: 65_535, height: 1525 }), 305],
] as const)("%s is known to take the memory of hundreds of pictures", async (_, make, measured) => {
  const { decoderBytes } = await readHeader(await folder.write(await make()));
  expect(decoderBytes).toBeGreaterThan(0.9 * measured * megabyte);
  expect(decoderBytes).toBeLessThan(2.1 * measured * megabyte);
});

test.each([
  ["a photograph", () => blackPng(4000, 3000)],
  ["a JPEG of 100 megapixels", jpeg(false)],
  ["a PNG of 100 megapixels", () => png({ width: 10_000, height: 10_000 })],
] as const)("%s is known to take little memory", async (_, make) => {
  const { decoderBytes } = await readHeader(await folder.write(await make()));
  expect(decoderBytes).toBeLessThan(100 * megabyte);
});

const profile = profileOf({ width: 100, height: 100, fit: "contain" });
const refusal = (needed: number, allowed: number) =>
  new Refusal("INVALID", {
    error: `The picture needs about ${needed} MB to be decoded, more than ${allowed} MB (uploads.max_decode_mb)`,
  });

test("a small AVIF of 100 megapixels is refused before it is decoded", async () => {
  const bytes = await avif();
  expect(bytes.length).toBeLessThan(2000);
  const path = await folder.write(bytes);
  const before = process.resourceUsage().maxRSS;
  await expect(processImage(path, profile)).rejects.toEqual(refusal(2194, 512));
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(50_000);
});

/** What the decoders of these pictures of a megapixel need, in whole megabytes. */
const square = () => fields({ width: 1000, height: 1000 });
const tiled = { tile: true, tileWidth: 512, tileHeight: 512 } as const;
test.each([
  ["JPEG", () => square().jpeg(), 3],
  ["progressive JPEG", () => square().jpeg({ progressive: true }), 9],
  ["PNG", () => square().png(), 3],
  ["interlaced PNG", () => square().png({ progressive: true }), 6],
  ["PNG of 16 bits", () => square().toColourspace("rgb16").png(), 6],
  ["WebP", () => square().webp(), 5],
  ["GIF", () => square().gif(), 5],
  ["TIFF in strips", () => square().tiff({ compression: "lzw" }), 3],
  ["TIFF in tiles", () => square().tiff(tiled), 6],
  ["AVIF", () => square().avif({ effort: 0, chromaSubsampling: "4:2:0" }), 18],
  ["AVIF of 4:4:4", () => square().avif({ effort: 0 }), 21],
  ["AVIF of 10 bits", () => square().avif({ effort: 0, bitdepth: 10 }), 27],
  ["transparent AVIF", () => square().ensureAlpha(0.5).avif({ effort: 0 }), 22],
])("a %s is refused if it needs more than is allowed", async (_, make, needed) => {
  const path = await folder.save(make());
  const outcome = await processImage(path, profile, { maxDecodeMb: needed - 1 }).catch(
    (error) => error,
  );
  expect(outcome).toEqual(refusal(needed, needed - 1));
  await expect(processImage(path, profile, { maxDecodeMb: needed })).resolves.toBeDefined();
});
