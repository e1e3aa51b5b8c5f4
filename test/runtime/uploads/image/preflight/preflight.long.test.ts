import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "../../../../../runtime/errors/index.js";
import { preflight } from "../../../../../runtime/uploads/image/preflight/preflight.js";
import {
  blackPng,
  emptyGif,
  emptyTiff,
  pngChunk,
} from "../../../../support/pictures/broken-pictures.js";
import { fields, pictureFolder, plain } from "../../../../support/pictures/pictures.js";

const fine = "fine";
const damaged = "The picture is damaged, or of an unsupported kind";
const tooLarge = "The picture has more than 100,000,000 pixels";
const tooManyFrames = "The picture has more than 5,000 frames";
const tooManyPages = "The picture has too many pages";
let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterAll(() => folder.remove());

async function verdictOn(...parts: readonly Uint8Array[]): Promise<string> {
  const path = await folder.write(Buffer.concat(parts));
  const outcome = await preflight(path).catch((error) => error);
  if (!(outcome instanceof Error)) return fine;
  expect(outcome).toBeInstanceOf(Refusal);
  return outcome.message;
}

test("a HEIC is checked by size and coding if the library decodes it, and refused otherwise", async () => {
  const avif = await fields({ width: 64, height: 64 }).avif().toBuffer();
  const heic = avif.toString("latin1").replace("ftypavif", "ftypheic").replace("av01", "hvc1");
  const path = await folder.write(Buffer.from(heic.replaceAll("avif", "heic"), "latin1"));
  expect(await preflight(path, { decodesHeic: async () => true })).toMatchObject({
    isHeic: true,
    // Without the properties of its coding, as if they were those that take most.
    decoderBytes: 64 * 64 * 28,
  });
  await expect(preflight(path)).rejects.toThrow("send the picture as JPEG, PNG or AVIF");
});

const png = blackPng(10, 10);

test("a PNG is complete with its last chunk, whatever follows", async () => {
  expect(await verdictOn(png)).toBe(fine);
  expect(await verdictOn(png, Buffer.from("more"))).toBe(fine);
  for (const lost of [1, 4, 8, 10, 12])
    expect(await verdictOn(png.subarray(0, -lost))).toBe(damaged);
});

test("a PNG of a hundred thousand chunks is refused", async () => {
  const chunks = (count: number) =>
    Buffer.concat(Array(count).fill(pngChunk("aaAa", Buffer.alloc(0))));
  const [head, rest] = [png.subarray(0, 33), png.subarray(33)];
  expect(await verdictOn(head, chunks(99_000), rest)).toBe(fine);
  expect(await verdictOn(head, chunks(100_000), rest)).toBe(damaged);
});

/** A frame in that corner, with a table of colours of its own, in pieces of that length. */
function gifFrame(pieces: number, length: number): Buffer {
  const place = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x81]);
  const colours = Buffer.alloc(12, 0x3b);
  const piece = Buffer.from([length, ...Buffer.alloc(length, 0x3b)]);
  const all = Array.from({ length: pieces }, () => piece);
  return Buffer.concat([place, colours, Buffer.from([2]), ...all, Buffer.from([0])]);
}

const gifHead = emptyGif(10, 10).subarray(0, 19);
const gifEnd = Buffer.from([0x3b]);
const gifNote = Buffer.from([0x21, 0xfe, 3, 0x2c, 0x2c, 0x2c, 0]);

test("a GIF is complete when its frames are, wherever the chunks that are read end", async () => {
  for (const pieces of [1, 255, 256, 257, 600]) {
    const frames = [gifNote, gifFrame(pieces, 255), gifNote, gifFrame(3, 20)];
    expect(await verdictOn(gifHead, ...frames, gifEnd)).toBe(fine);
    expect(await verdictOn(gifHead, ...frames, gifEnd, Buffer.from("more"))).toBe(fine);
    expect(await verdictOn(gifHead, ...frames, Buffer.alloc(1), gifEnd)).toBe(fine);
    expect(await verdictOn(gifHead, ...frames)).toBe(fine);
    const cut = Buffer.concat([gifHead, ...frames]);
    for (const lost of [1, 2, 30, 66, 80, pieces * 128 + 90]) {
      expect(await verdictOn(cut.subarray(0, -lost))).toBe(damaged);
    }
  }
});

test("a GIF is refused by its screen, however small its first frame", async () => {
  const screen = Buffer.from(gifHead);
  screen.writeUInt16LE(10_000, 6);
  screen.writeUInt16LE(10_000, 8);
  expect(await verdictOn(screen, gifFrame(1, 1), gifEnd)).toBe(fine);
  screen.writeUInt16LE(10_001, 8);
  expect(await verdictOn(screen, gifFrame(1, 1), gifEnd)).toBe(tooLarge);
});

test("a GIF of 5000 frames is accepted, and one more is not", async () => {
  const frames = Array.from({ length: 5000 }, () => gifFrame(1, 1));
  expect(await verdictOn(gifHead, ...frames, gifEnd)).toBe(fine);
  expect(await verdictOn(gifHead, ...frames, gifFrame(1, 1), gifEnd)).toBe(tooManyFrames);
});

test("a WebP is refused by its canvas, however small its frames", async () => {
  const webp = await plain(30, 20, "red")
    .webp()
    .withExif({ IFD0: { Make: "a" } })
    .toBuffer();
  expect(webp.toString("latin1", 12, 16)).toBe("VP8X");
  webp.writeUIntLE(9999, 24, 3);
  webp.writeUIntLE(9999, 27, 3);
  expect(await verdictOn(webp)).toBe(fine);
  webp.writeUIntLE(10_000, 27, 3);
  expect(await verdictOn(webp)).toBe(tooLarge);
});

test("a lossy and a lossless WebP are refused by their headers", async () => {
  const lossy = await plain(30, 20, "red").removeAlpha().webp().toBuffer();
  expect(await verdictOn(lossy)).toBe(fine);
  lossy.writeUInt32LE(0x3fff3fff, lossy.indexOf("VP8 ") + 14);
  expect(await verdictOn(lossy)).toBe(tooLarge);
  const lossless = await plain(30, 20, "red").webp({ lossless: true }).toBuffer();
  expect(await verdictOn(lossless)).toBe(fine);
  lossless.writeUInt32LE(0x0fffffff, lossless.indexOf("VP8L") + 9);
  expect(await verdictOn(lossless)).toBe(tooLarge);
});

/**
 * A grey TIFF of pages one behind the other, each of so many tags, which say nothing from the fourth on;
 * in either byte order, and as BigTIFF.
 */
function tiff({
  pages = 1,
  tags = 3,
  width = 10,
  height = 10,
  isLittle = true,
  isBig = false,
}): Buffer {
  const [count, tag, offset] = isBig ? [8, 20, 8] : [2, 12, 4];
  const length = count + tags * tag + offset;
  const said = [
    [256, width],
    [257, height],
    [262, 1],
  ];
  const file = Buffer.alloc(16 + pages * length);
  const write = (value: number, at: number, bytes: number) => {
    const low = isLittle || bytes < 8 ? at : at + 4;
    if (isLittle) file.writeUIntLE(value, low, Math.min(bytes, 4));
    else file.writeUIntBE(value, low, Math.min(bytes, 4));
  };
  file.write(isLittle ? "II" : "MM");
  write(isBig ? 43 : 42, 2, 2);
  if (isBig) write(8, 4, 2);
  write(16, offset, offset);
  for (let page = 0; page < pages; page += 1) {
    const at = 16 + page * length;
    write(tags, at, count);
    for (let index = 0; index < tags; index += 1) {
      const entry = at + count + index * tag;
      const [name = 40_000 + index, value = 0] = said[index] ?? [];
      write(name, entry, 2);
      // The width is a number of two bytes, the others have as many as an offset.
      write(index === 0 ? 3 : isBig ? 16 : 4, entry + 2, 2);
      write(1, entry + 4, offset);
      write(value, entry + tag - offset, index === 0 ? 2 : offset);
    }
    if (page + 1 < pages) write(at + length, at + length - offset, offset);
  }
  return file;
}

const orders = [true, false].flatMap((isLittle) =>
  [true, false].map((isBig) => ({ isLittle, isBig })),
);

test.each(orders)("a TIFF is refused by its first page's header: %j", async (order) => {
  expect(await verdictOn(tiff({ ...order, width: 10_000, height: 10_000 }))).toBe(fine);
  expect(await verdictOn(tiff({ ...order, width: 10_000, height: 10_001 }))).toBe(tooLarge);
});

test.each(orders)(
  "a TIFF of a thousand pages of twenty tags, and eighty of 250 are accepted, and more are not: %j",
  async (order) => {
    expect(await verdictOn(tiff({ ...order, pages: 1000, tags: 20 }))).toBe(fine);
    expect(await verdictOn(tiff({ ...order, pages: 1001, tags: 20 }))).toBe(tooManyPages);
    expect(await verdictOn(tiff({ ...order, pages: 80, tags: 250 }))).toBe(fine);
    expect(await verdictOn(tiff({ ...order, tags: 251 }))).toBe(damaged);
  },
);

test("a TIFF whose pages lead back to the first, or nowhere, ends", async () => {
  const file = tiff({ pages: 2 });
  const last = file.length - 4;
  file.writeUInt32LE(16, last);
  expect(await verdictOn(file)).toBe(tooManyPages);
  file.writeUInt32LE(0xffffffff, last);
  expect(await verdictOn(file)).toBe(fine);
});

test("a TIFF without a size is refused, and bytes between its header and its page are ignored", async () => {
  expect(await verdictOn(tiff({ tags: 1 }))).toBe(damaged);
  const file = tiff({});
  file.write("++++", 8);
  expect(await verdictOn(file)).toBe(fine);
});

test("too large pictures are refused without loading the decoding library", async () => {
  const built = fileURLToPath(
    new URL("../../../../../dist/runtime/uploads/image/process.js", import.meta.url),
  );
  const webp = await plain(30, 20, "red").webp({ lossless: true }).toBuffer();
  webp.writeUInt32LE(0x0fffffff, webp.indexOf("VP8L") + 9);
  const bombs = [
    blackPng(30_000, 30_000),
    emptyGif(30_000, 30_000),
    emptyTiff(30_000, 30_000),
    webp,
  ];
  const paths = await Promise.all(bombs.map((bytes) => folder.write(bytes)));
  const program = `
    const { processImage } = await import(process.argv[1]);
    const profile = { name: "test", width: 10, height: 10, fit: "contain", renditions: {} };
    for (const path of JSON.parse(process.argv[2])) {
      await processImage(path, profile).catch((error) => console.log(error.message));
    }
    console.log(process.report.getReport().sharedObjects.some((path) => /vips/.test(path)));
  `;
  const { stdout } = await execa(process.execPath, [
    ...["--input-type=module", "--eval", program],
    ...[built, JSON.stringify(paths)],
  ]);
  expect(stdout.split("\n")).toEqual([...bombs.map(() => tooLarge), "false"]);
});
