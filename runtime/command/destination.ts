import { createWriteStream, realpathSync, rmSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandRefused } from "./exit.js";
import { outputStream } from "./report.js";

export interface Destination {
  write(pieces: AsyncIterable<string | Uint8Array>): Promise<void>;
}

export function standardOutput(): Destination {
  return {
    write: (pieces) => pipeline(Readable.from(pieces, buffered), outputStream, { end: false }),
  };
}

/** Only a few chunks are buffered: each can have several hundred kilobytes. */
const buffered = { highWaterMark: 2 };

/** Mode of a file that only its owner may read: it contains records, or everything that the app stores. */
const ownersMode = 0o600;

/**
 * A file that is written next to its destination and then renamed, so that an incomplete file never has that name. Only
 * its owner may read it.
 */
export function wholeFile(path: string): Destination {
  const place = placeOf(path);
  if (place === null) return opened(path);
  const part = join(dirname(place), `.${basename(place)}.${process.pid}.part`);
  return {
    async write(pieces) {
      const forget = removeOnSignal(part);
      try {
        rmSync(part, { force: true });
        const file = createWriteStream(part, { flags: "wx", flush: true, mode: ownersMode });
        await pipeline(Readable.from(pieces, buffered), file);
        await rename(part, place);
      } catch (error) {
        rmSync(part, { force: true });
        throw refusalAt(path, error);
      } finally {
        forget();
      }
    },
  };
}

/** A destination that is written in place, because it is not a plain file but a pipe or a device, for example. */
function opened(path: string): Destination {
  return {
    async write(pieces) {
      try {
        await pipeline(Readable.from(pieces, buffered), createWriteStream(path));
      } catch (error) {
        throw refusalAt(path, error);
      }
    },
  };
}

/** Adds the path to the error of a full disk, which does not contain it; returns any other error unchanged. */
export function refusalAt(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (!(error instanceof Error) || (code !== "ENOSPC" && code !== "EDQUOT")) return error;
  return new CommandRefused(
    `${path} cannot be written: ${error.message}`,
    "free space on its disk, or name a file on another one",
  );
}

/** Resolves the symbolic links of a path to a file; null if the file cannot be replaced. */
function placeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new CommandRefused(`${path} is a folder`, "name a file in it");
  if (found !== undefined) return found.isFile() ? realpathSync(path) : null;
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandRefused(`There is no folder ${folder}`, "create it first");
  }
  return path;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Removes the file or folder if a signal ends the process; returns a function that cancels this. */
export function removeOnSignal(path: string): () => void {
  const forget = () => {
    for (const signal of signals) process.off(signal, remove);
  };
  const remove = (signal: NodeJS.Signals) => {
    rmSync(path, { recursive: true, force: true });
    forget();
    // If there is another listener, it must end the process.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, remove);
  return forget;
}
