import { refuseTooManyScans } from "../rules/limits.js";
import { refuseDamaged } from "../rules/refuse.js";
import type { FileView } from "./file-view.js";
import { noFindings, type Preflight } from "./result.js";

const scanBegins = 0xda;
const imageEnds = 0xd9;

export function isJpeg(start: Buffer): boolean {
  return start.length > 2 && start.readUIntBE(0, 3) === 0xffd8ff;
}

/**
 * Refuses a file with more scans than a picture needs, and one without an end marker: whether libjpeg notices a missing
 * marker depends on the bits before it.
 */
export async function preflightJpeg(file: FileView): Promise<Preflight> {
  let all = 0;
  let carried = Buffer.alloc(0);
  let passing = 0;
  for await (const chunk of file.all()) {
    const bytes = Buffer.concat([carried, chunk]);
    const { scans, at, isOver } = countScans(bytes, passing);
    all += scans;
    refuseTooManyScans(all);
    if (isOver) return noFindings;
    carried = bytes.subarray(at);
    passing = Math.max(0, at - bytes.length);
  }
  return refuseDamaged();
}

/** Follows complete markers and counts scans. Skips the content of segments, such as a preview with its own scans. */
function countScans(bytes: Buffer, from: number) {
  let scans = 0;
  let at = from;
  while (at + 2 <= bytes.length) {
    if (bytes[at] !== 0xff) {
      const next = bytes.indexOf(0xff, at + 1);
      at = next < 0 ? bytes.length : next;
      continue;
    }
    const marker = bytes.readUInt8(at + 1);
    if (marker === imageEnds) return { scans, at, isOver: true };
    if (beginsSegment(marker)) {
      if (at + 4 > bytes.length) break;
      if (marker === scanBegins) scans += 1;
      at += 2 + bytes.readUInt16BE(at + 2);
    } else {
      // Any number of 0xff bytes may precede a marker.
      at += marker === 0xff ? 1 : 2;
    }
  }
  return { scans, at, isOver: false };
}

/** Whether a segment follows: 0x00 and 0xff are not markers, and 0x01, restarts, start and end have no segment. */
function beginsSegment(marker: number): boolean {
  return marker > 0x01 && marker < 0xff && !(marker >= 0xd0 && marker <= imageEnds);
}
