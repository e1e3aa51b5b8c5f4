import type { Size } from "../rules/size.js";

/** Pixels of three or four bytes each, in file order. */
export interface TaggedPixels {
  readonly bytes: Buffer;
  readonly size: Size;
  readonly channels: number;
}

/**
 * An uncompressed TIFF of pixels with an ICC profile. sharp treats raw pixels as sRGB; in a TIFF they keep their color
 * space.
 */
export function taggedTiff({ bytes, size, channels }: TaggedPixels, profile: Buffer): Buffer {
  const long = 4;
  const entries: readonly (readonly [tag: number, value: number])[] = [
    [256, size.width],
    [257, size.height],
    [258, 8],
    [259, 1],
    [262, 2],
    [273, 0],
    [277, channels],
    [278, size.height],
    [279, bytes.length],
    ...(channels === 4 ? [[338, 2] as const] : []),
  ];
  const directoryLength = 2 + (entries.length + 1) * 12 + 4;
  const bitsAt = 8 + directoryLength;
  const profileAt = bitsAt + 8;
  const pixelsAt = profileAt + profile.length;
  const head = Buffer.alloc(profileAt);
  head.write("II*\0", "latin1");
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(entries.length + 1, 8);
  const write = (index: number, [tag, type, count, value]: readonly number[]) => {
    const at = 10 + index * 12;
    head.writeUInt16LE(tag ?? 0, at);
    head.writeUInt16LE(type ?? 0, at + 2);
    head.writeUInt32LE(count ?? 0, at + 4);
    head.writeUInt32LE(value ?? 0, at + 8);
  };
  for (const [index, [tag, value]] of entries.entries()) {
    if (tag === 258) write(index, [tag, 3, channels, bitsAt]);
    else write(index, [tag, long, 1, tag === 273 ? pixelsAt : value]);
  }
  const undefinedBytes = 7;
  write(entries.length, [34_675, undefinedBytes, profile.length, profileAt]);
  for (let channel = 0; channel < 4; channel += 1) head.writeUInt16LE(8, bitsAt + channel * 2);
  return Buffer.concat([head, profile, bytes]);
}
