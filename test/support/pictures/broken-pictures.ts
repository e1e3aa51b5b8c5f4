import { crc32, deflateSync } from "node:zlib";

/** One chunk of a PNG file. */
export function pngChunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  return Buffer.concat([bigEndian(data.length), named, bigEndian(crc32(named))]);
}

/** A black PNG of one bit a pixel, with further chunks before its pixels. */
export function blackPng(width: number, height: number, ...chunks: readonly Buffer[]): Buffer {
  const header = Buffer.concat([bigEndian(width), bigEndian(height), Buffer.from([1, 0, 0, 0, 0])]);
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    ...chunks,
    pngChunk("IDAT", pixels),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A grey TIFF that declares this number of pixels and has none. */
export function emptyTiff(width: number, height: number): Buffer {
  const tags = [
    [256, width],
    [257, height],
    [258, 8],
    [259, 8],
    [262, 1],
    [273, 200],
    [277, 1],
    [278, height],
    [279, 10],
  ] as const;
  const file = Buffer.alloc(256);
  file.write("II*\0\x08", "latin1");
  file.writeUInt16LE(tags.length, 8);
  for (const [index, [tag, value]] of tags.entries()) {
    const at = 10 + index * 12;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(1, at + 4);
    file.writeUInt32LE(value, at + 8);
  }
  return file;
}

/** The same JPEG, claiming another size. */
export function resizedJpeg(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = changed.indexOf(Buffer.from([0xff, 0xc0]));
  changed.writeUInt16BE(height, frame + 5);
  changed.writeUInt16BE(width, frame + 7);
  return changed;
}

/** The same AVIF, claiming another size in its container alone. */
export function resizedAvif(avif: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(avif);
  const property = changed.indexOf("ispe");
  changed.writeUInt32BE(width, property + 8);
  changed.writeUInt32BE(height, property + 12);
  return changed;
}

/** A GIF that has a screen of that size and one frame as large, without pixels. */
export function emptyGif(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const screen = Buffer.concat([size, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])]);
  const frame = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0]), size, Buffer.from([0])]);
  return Buffer.concat([
    Buffer.from("GIF89a"),
    screen,
    frame,
    Buffer.from([2, 2, 0x44, 1, 0, 0x3b]),
  ]);
}

/** A progressive JPEG whose last scan is repeated `scans` times. */
export function repeatedScan(progressive: Buffer, scans: number): Buffer {
  const end = progressive.length - 2;
  const scan = progressive.subarray(progressive.lastIndexOf(Buffer.from([0xff, 0xda])), end);
  return Buffer.concat([
    progressive.subarray(0, end),
    ...Array.from({ length: scans }, () => scan),
    progressive.subarray(end),
  ]);
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
