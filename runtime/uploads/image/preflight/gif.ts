import { refuseOversize, refuseTooManyFrames } from "../rules/limits.js";
import { refuseDamaged } from "../rules/refuse.js";
import type { FileView } from "./file-view.js";
import { noFindings, type Preflight } from "./result.js";

export function isGif(start: Buffer): boolean {
  return /^GIF8[79]a/.test(start.toString("latin1"));
}

/**
 * Refuses a canvas that is too large, even if the first frame covers only a part of it, and a file that ends within a
 * frame. Some programs omit the trailer.
 */
export async function preflightGif(file: FileView): Promise<Preflight> {
  const screen = await file.bytes(0, screenLength);
  if (screen.length < screenLength) refuseDamaged();
  const size = { width: screen.readUInt16LE(6), height: screen.readUInt16LE(8) };
  refuseOversize(size);
  let frames = 0;
  let firstFrameAt: number | null = null;
  let place: Position = { at: screenLength + coloursLength(screen.readUInt8(10)), has: "block" };
  let passed = 0;
  for await (const chunk of file.all()) {
    while (place.at < passed + chunk.length) {
      const byte = chunk.readUInt8(place.at - passed);
      if (place.has === "frame flags") {
        if (frames === 0) firstFrameAt = place.at - frameHeadLength;
        frames += 1;
      }
      refuseTooManyFrames(frames);
      const next = after(place, byte);
      if (next === null) return found(place.at);
      place = next;
    }
    passed += chunk.length;
  }
  if (place.has !== "block" || place.at > passed) refuseDamaged();
  return found(place.at);

  async function found(end: number): Promise<Preflight> {
    if (firstFrameAt === null) return noFindings;
    const frame = await file.bytes(firstFrameAt, frameHeadLength);
    const [left, top] = [frame.readUInt16LE(0), frame.readUInt16LE(2)];
    const [width, height] = [frame.readUInt16LE(4), frame.readUInt16LE(6)];
    const isFull = left + top === 0 && width >= size.width && height >= size.height;
    return isFull ? noFindings : { ...noFindings, emptyCanvasEnd: end };
  }
}

/** Bytes of a frame's position and size, which precede its flags. */
const frameHeadLength = 8;

const screenLength = 13;

/** A byte from which the position of the next such byte follows; all bytes in between are skipped. */
interface Position {
  readonly at: number;
  readonly has: "block" | "frame flags" | "length of piece";
}

/** The next position; null after the last block. Data after an unknown mark is left to the decoder. */
function after({ at, has }: Position, byte: number): Position | null {
  switch (has) {
    case "block":
      return afterMark(at, byte);
    case "frame flags":
      // The byte between the color table and the pixels is the code size.
      return { at: at + 2 + coloursLength(byte), has: "length of piece" };
    case "length of piece":
      return { at: at + 1 + byte, has: byte === 0 ? "block" : "length of piece" };
    default:
      return has satisfies never;
  }
}

function afterMark(at: number, mark: number): Position | null {
  if (mark === 0x2c) return { at: at + 9, has: "frame flags" };
  if (mark === 0x21) return { at: at + 2, has: "length of piece" };
  // Some programs write the block terminator twice.
  return mark === 0 ? { at: at + 1, has: "block" } : null;
}

/** Bytes of the color table that the flags announce. */
function coloursLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}
