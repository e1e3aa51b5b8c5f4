/** A tag's numbers; strings of a type other than SHORT or LONG are not needed here. */
export type TiffTags = Readonly<Record<number, readonly number[]>>;

/** Tag numbers of TIFF 6.0 that the tests set. */
export const tiffTag = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  strips: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripLengths: 279,
  planes: 284,
  colours: 320,
  tileWidth: 322,
  tileHeight: 323,
  tiles: 324,
  tileLengths: 325,
  inkSet: 332,
  extraSamples: 338,
  sampleFormat: 339,
  jpegAt: 513,
  jpegLength: 514,
  subsampling: 530,
} as const;

/**
 * A little-endian TIFF of one page: its pixels follow the header, each piece (strip, tile or plane) in
 * turn, then the tags, each as LONG. `addressTag` names the tag that lists where the pieces begin.
 */
export function tiff(
  tags: TiffTags,
  pieces: readonly Uint8Array[],
  addressTag: number = tiffTag.strips,
): Buffer {
  const starts: number[] = [];
  let at = headerLength;
  for (const piece of pieces) {
    starts.push(at);
    at += piece.length;
  }
  const all: TiffTags = { ...tags, [addressTag]: starts };
  const entries = Object.entries(all).map(([tag, values]) => ({ tag: Number(tag), values }));
  entries.sort((one, other) => one.tag - other.tag);
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length, 0);
  const long: Buffer[] = [];
  let longAt = at + directory.length;
  for (const [index, { tag, values }] of entries.entries()) {
    const entry = 2 + index * 12;
    directory.writeUInt16LE(tag, entry);
    directory.writeUInt16LE(4, entry + 2);
    directory.writeUInt32LE(values.length, entry + 4);
    const bytes = Buffer.alloc(values.length * 4);
    for (const [place, value] of values.entries()) bytes.writeUInt32LE(value, place * 4);
    if (values.length === 1) {
      bytes.copy(directory, entry + 8);
      continue;
    }
    directory.writeUInt32LE(longAt, entry + 8);
    long.push(bytes);
    longAt += bytes.length;
  }
  const header = Buffer.from("II*\0\0\0\0\0", "latin1");
  header.writeUInt32LE(at, 4);
  return Buffer.concat([header, ...pieces, directory, ...long]);
}

const headerLength = 8;
