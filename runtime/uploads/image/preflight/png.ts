import { colourSpaceOf } from "../colours/coded.js";
import { refuseOversize } from "../rules/limits.js";
import { refuseDamaged } from "../rules/refuse.js";
import type { FileView } from "./file-view.js";
import { noFindings, type Preflight } from "./result.js";

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** Bytes of a chunk in addition to its data: length, type and checksum. */
const aroundChunk = 12;
/** Maximum number of chunks. Encoders write chunks of 8 kB or more. Each takes CPU time, even an empty one. */
const maxChunks = 100_000;

export function isPng(start: Buffer): boolean {
  return start.subarray(0, signature.length).equals(signature);
}

/**
 * Finds the picture's color space. Refuses a picture that is too large, in high dynamic range, or whose last chunk is
 * incomplete, which libpng ignores once it has all pixels.
 */
export async function preflightPng(file: FileView): Promise<Preflight> {
  const header = await file.bytes(signature.length, 16);
  if (header.length < 16) refuseDamaged();
  refuseOversize({ width: header.readUInt32BE(8), height: header.readUInt32BE(12) });
  let at = signature.length;
  let look: Preflight | undefined;
  let isBeforePixels = true;
  for (let chunks = 0; chunks < maxChunks; chunks += 1) {
    const chunk = await file.bytes(at, 10);
    if (chunk.length < 8) refuseDamaged();
    const name = chunk.toString("latin1", 4, 8);
    if (name === "IDAT") isBeforePixels = false;
    if (name === "cICP" && isBeforePixels && look === undefined) look = fromCodedColours(chunk);
    at += aroundChunk + chunk.readUInt32BE(0);
    if (at > file.size) refuseDamaged();
    if (name === "IEND") return look ?? noFindings;
  }
  return refuseDamaged();
}

/** The result for a cICP chunk, which overrides all other color chunks (PNG, third edition). */
function fromCodedColours(chunk: Buffer): Preflight {
  if (chunk.length < 10) refuseDamaged();
  const colours = colourSpaceOf({ primaries: chunk.readUInt8(8), transfer: chunk.readUInt8(9) });
  return { ...noFindings, colours, ignoresProfile: true };
}
