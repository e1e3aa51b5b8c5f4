import { refuseDamaged } from "../rules/refuse.js";
import type { FileView } from "./file-view.js";

/** A box of the ISO base media file format: a type, and the range of its content. */
export interface Box {
  readonly type: string;
  readonly from: number;
  readonly to: number;
}

/** Maximum number of boxes; real pictures have fewer, and each takes CPU time. */
const maxBoxes = 4000;

/**
 * The consecutive boxes in the range, optionally up to the first one of type `last`. Refuses a box that exceeds the
 * range.
 */
export async function boxesOf(
  file: FileView,
  { from, to }: Omit<Box, "type">,
  last?: string,
): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to && (last === undefined || boxes.at(-1)?.type !== last); ) {
    const head = await file.bytes(at, 16);
    if (head.length < 8 || boxes.length === maxBoxes) refuseDamaged();
    const short = head.readUInt32BE(0);
    // 1 means that the size follows in eight bytes, 0 that the box extends to the end.
    if (short === 1 && head.length < 16) refuseDamaged();
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - at : short;
    const headLength = short === 1 ? 16 : 8;
    if (length < headLength || at + length > to) refuseDamaged();
    boxes.push({
      type: head.toString("latin1", 4, 8),
      from: at + headLength,
      to: at + length,
    });
    at += length;
  }
  return boxes;
}

/** Reads numbers from the content of a box. Refuses the file if a read exceeds the box. */
export interface Reader {
  number(length: number): number;
  text(length: number): string;
  readonly left: number;
}

/** Maximum size of a header box in bytes. Only pixel data is larger. */
const maxContentBytes = 1_000_000;

export async function readBox(file: FileView, { from, to }: Omit<Box, "type">): Promise<Reader> {
  if (to - from > maxContentBytes) refuseDamaged();
  const bytes = await file.bytes(from, to - from);
  let at = 0;
  const take = (length: number) => {
    if (at + length > bytes.length) refuseDamaged();
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    number: (length) => {
      if (length === 0) return 0;
      return length === 8 ? Number(take(8).readBigUInt64BE()) : take(length).readUIntBE(0, length);
    },
    text: (length) => take(length).toString("latin1"),
    get left() {
      return bytes.length - at;
    },
  };
}
