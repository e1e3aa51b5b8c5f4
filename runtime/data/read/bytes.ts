import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import {
  encodingNames,
  encodingOf,
  isUtf16,
  type Transcoder,
  transcoder,
} from "../../values/csv/encoding.js";
import type { Encoding } from "../../values/csv/options.js";
import type { ByteText } from "../../values/csv/splitter.js";
import { workbookMark, workbookRefusal } from "../../values/files/workbook.js";
import { Unreadable } from "./unreadable.js";

/** The bytes of a file in UTF-8, in chunks. */
export interface FileBytes {
  /**
   * The file's beginning, including the byte order mark; empty for a file that is read from another
   * position.
   */
  readonly start: Buffer;
  /** The remaining bytes. */
  readonly rest: AsyncGenerator<Buffer>;
  /** The number of the file's bytes read so far. */
  read(): number;
  readonly byteText: ByteText;
}

interface FileOptions {
  /** Null for standard input. */
  readonly path: string | null;
  readonly encoding: Encoding;
}

/** Maximum number of bytes per read. */
const highWaterMark = 64 * 1024;
/** The bytes that identify the kind of file. */
const markBytes = 4;

/**
 * Opens a file at its beginning.
 *
 * @throws {Unreadable} for a workbook, and for UTF-16 without a named encoding.
 */
export async function openBytes({ path, encoding: named }: FileOptions): Promise<FileBytes> {
  const { chunks, read } = counted(path, 0);
  let start: Buffer = Buffer.alloc(0);
  while (start.length < markBytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  const encoding = encodingOf(start, named);
  if (workbookMark(start)) throw new Unreadable(workbookRefusal, null);
  if (encoding !== "utf-16" && isUtf16(start)) throw new Unreadable(unnamedUtf16, null);
  const byteText = byteTextOf(encoding);
  if (encoding === "utf-8") return { start, rest: chunks, read, byteText };
  const convert = transcoder(encoding, start);
  return { start: Buffer.alloc(0), rest: converted(start, chunks, convert), read, byteText };
}

/** Opens a file at a byte offset of its text in UTF-8. */
export async function openBytesAt(options: FileOptions, offset: number): Promise<FileBytes> {
  if (options.encoding === "utf-8") {
    const { chunks, read } = counted(options.path, offset);
    return { start: Buffer.alloc(0), rest: chunks, read, byteText: byteTextOf("utf-8") };
  }
  const file = await openBytes(options);
  return { ...file, start: Buffer.alloc(0), rest: without(offset, withFirst(file)) };
}

const unnamedUtf16 = "This file is UTF-16. Save it again as UTF-8, or pass --encoding utf-16";

/** Decodes with Node's built-in decoders. */
export function byteTextOf(encoding: Encoding): ByteText {
  return {
    isSound: isUtf8,
    text: (bytes) => (Buffer.isBuffer(bytes) ? bytes : bufferOf(bytes)).toString("utf8"),
    encoding: encodingNames[encoding],
  };
}

function counted(path: string | null, start: number) {
  let read = start;
  const stream = path === null ? process.stdin : createReadStream(path, { highWaterMark, start });
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      read += chunk.length;
      yield chunk;
    }
  }
  return { chunks: chunks(), read: () => read };
}

async function* converted(
  start: Buffer,
  rest: AsyncGenerator<Buffer>,
  convert: Transcoder,
): AsyncGenerator<Buffer> {
  for await (const chunk of withFirst({ start, rest })) yield bufferOf(convert(chunk, false));
  yield bufferOf(convert(new Uint8Array(), true));
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** The bytes of a file after the first `skipped`. */
async function* without(skipped: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = skipped;
  for await (const chunk of chunks) {
    const own = chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
    if (own.length > 0) yield own;
  }
}

/** All bytes of a file, from its start. */
export async function* withFirst({
  start,
  rest,
}: Pick<FileBytes, "start" | "rest">): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start;
  yield* rest;
}
