import { refuseDamaged } from "../rules/refuse.js";
import type { FileView } from "./file-view.js";

/** The numeric tags of a page. */
export interface TiffTags {
  /** The first numbers under that tag, at most `maxValues`; undefined if the page has no such tag. */
  values(tag: number): Promise<readonly number[] | undefined>;
  /** The first number under that tag. Without `otherwise`, refuses a page that has no such tag. */
  value(tag: number, otherwise?: number): Promise<number>;
}

/** Goes from page to page of a TIFF file. A page is the offset of its tags; 0 means none. */
export interface TiffReader {
  firstPage(): Promise<number>;
  pageAfter(page: number): Promise<number>;
  tagCount(page: number): Promise<number>;
  /**
   * Reads at most `max` tags of the page; of duplicates the first counts, as in libtiff. Refuses a file that ends
   * before them.
   */
  tags(page: number, max: number): Promise<TiffTags>;
}

/** No tag of interest has more values: a picture has at most five channels. */
const maxValues = 8;

/** Bytes of a number of each type: BYTE, SHORT, LONG and BigTIFF's LONG8. */
const lengths: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 16: 8 };

/** A reader for the file's own byte order and length of offsets. */
export async function readerOf(file: FileView): Promise<TiffReader> {
  const mark = (await file.bytes(0, 4)).toString("latin1");
  const isLittle = mark.startsWith("II");
  const isBig = mark.includes("+");
  const offsetLength = isBig ? 8 : 4;
  const countLength = isBig ? 8 : 2;
  const tagLength = isBig ? 20 : 12;

  /** A number; 0 if the file ends before it. */
  async function number(at: number, length: number): Promise<number> {
    const bytes = await file.bytes(at, length);
    if (bytes.length < length) return 0;
    if (length === 8) return Number(isLittle ? bytes.readBigUInt64LE() : bytes.readBigUInt64BE());
    return isLittle ? bytes.readUIntLE(0, length) : bytes.readUIntBE(0, length);
  }

  const tagCount = (page: number) => number(page, countLength);

  /** The numbers of the tag at that offset; they are stored elsewhere if they need more room than an offset. */
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
