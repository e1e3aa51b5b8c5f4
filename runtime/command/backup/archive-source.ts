import { createWriteStream, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { refusalAt, removeOnSignal } from "../destination.js";
import { CommandRefused } from "../exit.js";

/**
 * Runs the work with the path of an archive. An archive from standard input is first written to a
 * file, because it is read twice: to verify and to load it.
 */
export async function withArchive<T>(file: string, work: (path: string) => Promise<T>): Promise<T> {
  if (file !== "-") {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) throw new CommandRefused(`There is no file ${file}`);
    if (!found.isFile())
      throw new CommandRefused(`${file} is not a regular file`, "pipe it in, with - as the file");
    return work(file);
  }
  const folder = await mkdtemp(join(tmpdir(), "service-restore-"));
  const forget = removeOnSignal(folder);
  try {
    const path = join(folder, "archive");
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 })).catch((error) => {
      throw refusalAt(path, error);
    });
    return await work(path);
  } finally {
    forget();
    await rm(folder, { recursive: true, force: true });
  }
}
