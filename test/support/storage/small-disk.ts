import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of a few megabytes. */
export interface SmallDisk {
  /** Fills it. */
  fill(): void;
  /** Frees the space. */
  free(): void;
  close(): void;
}

/** Only root may mount, and in many containers not even root. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "mount-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "tmpfs", folder]).status === 0;
  if (mounted) execFileSync("umount", [folder]);
  rmdirSync(folder);
  return mounted;
}

/** Mounts one on an empty folder. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  const filler = join(folder, ".filler");
  return {
    fill: () => {
      const file = openSync(filler, "a");
      // Smaller and smaller pieces, down to the last page.
      for (let size = 1 << 20; size >= 4_096; size /= 2) {
        const piece = Buffer.alloc(size);
        try {
          while (writeSync(file, piece) === size);
        } catch {
          // No room for so much.
        }
      }
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    // Lazily: a process that is about to end may still be in it.
    close: () => execFileSync("umount", ["--lazy", folder]),
  };
}
