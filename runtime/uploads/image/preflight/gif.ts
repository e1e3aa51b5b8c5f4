import { refuseOversize, refuseTooManyFrames } from "../rules/limits.js";
import { refuseDamaged } from "../rules/refuse.js";
import type { FileView } from "./file-view.js";
import { noFindings, type Preflight } from "./result.js";

export function isGif(start: Buffer): boolean {
  return /^GIF8[79]a/.test(start.toString("latin1"));
}

/**
 * Refuses by its screen, whatever its first frame takes of it, and what ends within a frame. There are
 * programs that leave out the end mark.
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

/** A frame's place and size, before its flags. */
const frameHeadLength = 8;

const screenLength = 13;

/** A byte that tells where the next such is. Going from one to the next passes over all others. */
interface Position {
  readonly at: number;
  readonly has: "block" | "frame flags" | "length of piece";
}

/** Null after the last block; what follows a mark that is unknown is the decoder's to judge. */
function after({ at, has }: Position, byte: number): Position | null {
  switch (has) {
    case "block":
      return afterMark(at, byte);
    case "frame flags":
      // One byte between the colours and the pixels tells how wide their codes are.
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
  // Some programs end their pieces twice.
  return mark === 0 ? { at: at + 1, has: "block" } : null;
}

/** How many bytes the table of colours takes that flags tell of. */
function coloursLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}
