import type { Buffer } from "node:buffer";
import { Parser, type ReadEntry } from "tar";
import { oneLine } from "../../values/text.js";
import { BackupProblem } from "./problem.js";

/** A file of a tar. Its bytes must be read before the next file; unread bytes are skipped. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Buffer>;
}

type Event =
  | { readonly kind: "begin"; readonly name: string; readonly size: number }
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "end" };

/** Maximum size in bytes of a header for a long name; a key has at most 1,024. */
const maxMetaBytes = 8 * 1024;

/**
 * Yields the files of a tar, in its order; only the current chunk is held in memory.
 *
 * @throws {BackupProblem} if it is incomplete, or contains anything but plain files.
 */
export async function* entriesOf(tar: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const events = eventsOf(tar);
  try {
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      const { value: event } = next;
      if (event.kind !== "begin") continue;
      const { name, size } = event;
      const bytes = bytesOf(events);
      yield { name, size, bytes };
      for await (const _ of bytes);
    }
  } finally {
    await events.return(undefined);
  }
}

/** Yields the bytes up to the end of an entry. */
async function* bytesOf(events: AsyncGenerator<Event>): AsyncGenerator<Buffer> {
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    if (next.value.kind === "end") return;
    if (next.value.kind === "bytes") yield next.value.bytes;
  }
}

/** Yields the parser's events. The parser is synchronous, so the events of a chunk are collected first. */
async function* eventsOf(tar: AsyncIterable<Buffer>): AsyncGenerator<Event> {
  const events: Event[] = [];
  const failures: BackupProblem[] = [];
  let isOver = false;
  const refuse = (reason: string) => failures.push(damaged(reason));
  const parser = new Parser({ strict: true, brotli: false, maxMetaEntrySize: maxMetaBytes });
  parser.on("error", (error: Error) => refuse(error.message));
  parser.on("ignoredEntry", ({ path }: ReadEntry) => refuse(`${path} is not a regular file`));
  parser.on("eof", () => {
    isOver = true;
  });
  parser.on("entry", (entry: ReadEntry) => {
    const { path: name, size, type } = entry;
    if (type !== "File" && type !== "OldFile") refuse(`${name} is not a regular file`);
    events.push({ kind: "begin", name, size });
    entry.on("data", (bytes: Buffer) => events.push({ kind: "bytes", bytes }));
    entry.on("end", () => events.push({ kind: "end" }));
    entry.resume();
  });
  for await (const chunk of tar) {
    // Otherwise the parser would buffer the bytes after the end.
    if (!isOver) parser.write(chunk);
    else if (chunk.some((byte) => byte !== 0)) refuse("it has trailing data");
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    yield* events.splice(0);
  }
  if (!isOver) throw damaged("it is truncated");
}

/** Returns the problem of an archive whose bytes have changed. */
export function damaged(reason: string): BackupProblem {
  return new BackupProblem(`The archive is damaged: ${oneLine(reason)}`, "use another copy of it");
}
