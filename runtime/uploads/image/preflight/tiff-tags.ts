import { refuseDamaged } from "../rules/refuse.js";
import type { FileView } from "./file-view.js";

/** The numeric tags of a page. */
export interface TiffTags {
  /** The first numbers of the tag, at most `maxValues`; undefined if the page does not have it. */
  values(tag: number): Promise<readonly number[] | undefined>;
  /** The first number of the tag. Without `otherwise`, refuses a page that does not have it. */
  value(tag: number, otherwise?: number): Promise<number>;
}

/** Reads the pages of a TIFF file. A page is the offset of its tags; 0 means none. */
export interface TiffReader {
  firstPage(): Promise<number>;
  pageAfter(page: number): Promise<number>;
  tagCount(page: number): Promise<number>;
  /**
   * Reads at most `max` tags of the page; the first of duplicates counts, as in libtiff. Refuses a file that ends
   * before them.
   */
  tags(page: number, max: number): Promise<TiffTags>;
}

/** Maximum number of values per tag. The tags read here have no more: a picture has at most five channels. */
const maxValues = 8;

/** Bytes per number by type: BYTE, SHORT, LONG and BigTIFF's LONG8. */
const lengths: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 16: 8 };

/** Returns a reader for the file's byte order and offset size. */
export async function readerOf(file: FileView): Promise<TiffReader> {
  const mark = (await file.bytes(0, 4)).toString("latin1");
  const isLittle = mark.startsWith("II");
  const isBig = mark.includes("+");
  const offsetLength = isBig ? 8 : 4;
  const countLength = isBig ? 8 : 2;
  const tagLength = isBig ? 20 : 12;

  /** Reads a number; 0 if the file ends before it. */
  async function number(at: number, length: number): Promise<number> {
    const bytes = await file.bytes(at, length);
    if (bytes.length < length) return 0;
    if (length === 8) return Number(isLittle ? bytes.readBigUInt64LE() : bytes.readBigUInt64BE());
    return isLittle ? bytes.readUIntLE(0, length) : bytes.readUIntBE(0, length);
  }

  const tagCount = (page: number) => number(page, countLength);

  /** The numbers of the tag at the offset; if they need more space than an offset, they are stored elsewhere. */
  async function valuesAt(at: number): Promise<readonly number[]> {
    const length = lengths[await number(at + 2, 2)] ?? refuseDamaged();
    const count = await number(at + 4, offsetLength);
    const inline = at + tagLength - offsetLength;
    const from = count * length > offsetLength ? await number(inline, offsetLength) : inline;
    if (from + count * length > file.size) refuseDamaged();
    const values: number[] = [];
    for (let index = 0; index < Math.min(count, maxValues); index += 1) {
      values.push(await number(from + index * length, length));
    }
    return values;
  }

  return {
    firstPage: () => number(isBig ? 8 : 4, offsetLength),

    async pageAfter(page) {
      return number(page + countLength + (await tagCount(page)) * tagLength, offsetLength);
    },

    tagCount,

    async tags(page, max) {
      const count = Math.min(await tagCount(page), max);
      if (page + countLength + count * tagLength > file.size) refuseDamaged();
      const offsets = new Map<number, number>();
      for (let index = 0; index < count; index += 1) {
        const at = page + countLength + index * tagLength;
        const tag = await number(at, 2);
        if (!offsets.has(tag)) offsets.set(tag, at);
      }
      const values: TiffTags["values"] = async (tag) => {
        const at = offsets.get(tag);
        return at === undefined ? undefined : valuesAt(at);
      };
      return {
        values,
        async value(tag, otherwise) {
          const [first = otherwise] = (await values(tag)) ?? [];
          return first ?? refuseDamaged();
        },
      };
    },
  };
}
