import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../../../config/index.js";
import type { Finding } from "../../report.js";
import { ok, problem, warning } from "../finding.js";

const check = "disk";

const gigabyte = 1e9;
/** Free space below both of which there is a warning: bytes, and the fraction of the disk. */
const little = { bytes: 2 * gigabyte, share: 0.1 };
const tooLittle = { bytes: 0.2 * gigabyte, share: 0.02 };

/** Checks the free space on the disks of the app and its uploads. PostgreSQL's disk is not visible here. */
export async function checkDisk({ root, uploads }: Config): Promise<readonly Finding[]> {
  const { storage } = uploads;
  const paths = [root, ...(storage.driver === "disk" ? [nearest(storage.path)] : [])];
  const disks = new Map<string, Finding>();
  for (const path of paths) {
    const { bavail, blocks, bsize, type } = await statfs(path);
    // Two paths on one disk have the same numbers.
    const key = `${type} ${blocks} ${bsize} ${bavail}`;
    if (!disks.has(key))
      disks.set(key, diskFinding(path, { free: bavail * bsize, whole: blocks * bsize }));
  }
  return [...disks.values()];
}

/** Returns the finding for a disk. A smaller fraction of a large disk may be enough, so both values must be low. */
export function diskFinding(
  path: string,
  { free, whole }: { readonly free: number; readonly whole: number },
): Finding {
  const share = whole === 0 ? 1 : free / whole;
  const found = `${(free / gigabyte).toFixed(1)} GB free (${Math.floor(share * 100)} %) at ${path}`;
  const isBelow = (limit: typeof little) => free < limit.bytes && share < limit.share;
  if (!isBelow(little)) return ok(check, found);
  const fix = `find what uses the space: du -xh --max-depth=2 ${path} | sort -h | tail; unused uploads: npx service uploads prune`;
  return isBelow(tooLittle) ? problem(check, found, fix) : warning(check, found, fix);
}

/** Returns the folder in which a path would be created. */
function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}
