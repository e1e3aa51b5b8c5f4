import { refuseDamaged } from "../rules/refuse.js";
import type { FileView } from "./file-view.js";

/** A box of the ISO base media file format: a type, and where its content lies. */
export interface Box {
  readonly type: string;
  readonly from: number;
  readonly to: number;
}

/** Nobody's picture has more; each takes some time of the server. */
const maxBoxes = 4000;

/**
 * The boxes that lie one behind the other there, to the first of the type `last` where one is named.
 * Refuses what overlaps its end.
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
    // 1 tells that the size follows in eight bytes, 0 that the box is the last.
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

/** What a box has, for a walk from number to number. Beyond its end it is refused. */
export interface Reader {
  number(length: number): number;
  text(length: number): string;
  readonly left: number;
}

/** Headers are small; what is large is pixels. */
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
