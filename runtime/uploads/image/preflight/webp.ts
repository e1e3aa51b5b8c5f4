import { refuseOversize } from "../rules/limits.js";
import type { Size } from "../rules/size.js";
import type { FileView } from "./file-view.js";
import { noFindings, type Preflight } from "./result.js";

export function isWebp(start: Buffer): boolean {
  return start.toString("latin1", 0, 4) === "RIFF" && start.toString("latin1", 8, 12) === "WEBP";
}

/** Refuses a canvas that is too large; all frames of an animation share one. */
export async function preflightWebp(file: FileView): Promise<Preflight> {
  const start = await file.bytes(0, 30);
  // Files with fewer bytes are left to the decoder.
  if (start.length === 30) refuseOversize(canvasOf(start));
  return noFindings;
}

function canvasOf(start: Buffer): Size {
  const chunk = start.toString("latin1", 12, 16);
  if (chunk === "VP8X") {
    return { width: start.readUIntLE(24, 3) + 1, height: start.readUIntLE(27, 3) + 1 };
  }
  if (chunk === "VP8L") {
    const both = start.readUInt32LE(21);
    return { width: (both & 0x3fff) + 1, height: ((both >> 14) & 0x3fff) + 1 };
  }
  return { width: start.readUInt16LE(26) & 0x3fff, height: start.readUInt16LE(28) & 0x3fff };
}
