import { createReadStream } from "node:fs";
import type { Format } from "../../values/files/record-format.js";
import { parseJson } from "../../values/json.js";
import { readCells } from "../csv/cells.js";
import { headerEnd, separatorOf } from "../csv/head.js";
import { RecordSplitter } from "../csv/splitter.js";
import { ListSplitter, NoList } from "../json/list.js";
import { isUtf16, markLength } from "./encoding.js";
import { type Found, maxRecordBytes, problems } from "./found.js";

/** A record of a file. */
export interface FileRecord {
  /** Counted from 1. */
  readonly row: number;
  /** Null in a JSON list. */
  readonly line: number | null;
  /** Where the next record begins. */
  readonly after: Position;
  readonly content: Content;
}

export type Content =
  | { readonly kind: "cells"; readonly cells: readonly string[] }
  | { readonly kind: "object"; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: "unread"; readonly problem: string };

/** A place between two records: how many are before it, the next line, and the next byte. */
export interface Position {
  readonly row: number;
  readonly line: number;
  readonly offset: number;
}

export interface Source {
  /** The columns of a CSV file; null in JSON. */
  readonly header: { readonly columns: readonly string[]; readonly line: number } | null;
  readonly records: AsyncIterable<readonly FileRecord[]>;
}

/** A file that cannot be read at all. */
export class Unreadable extends Error {
  readonly line: number | null;

  constructor(message: string, line: number | null) {
    super(message);
    this.line = line;
  }
}

export interface SourceOptions {
  /** Null: standard input. */
  readonly path: string | null;
  readonly format: Format;
  /** Where an earlier run ended; null: from the beginning. */
  readonly from: Position | null;
}

/** The most bytes of a file that are read at once. */
const highWaterMark = 64 * 1024;

/**
 * Opens a file of records, which are read as they are asked for.
 *
 * @throws {Unreadable} for a file in another encoding, without a header, or without a list.
 */
export async function openSource(options: SourceOptions): Promise<Source> {
  return options.format === "csv" ? openCsv(options) : openJson(options);
}

function bytesOf(path: string | null, start = 0): AsyncIterator<Buffer> {
  const stream = path === null ? process.stdin : createReadStream(path, { highWaterMark, start });
  return stream[Symbol.asyncIterator]();
}

async function openCsv({ path, from }: SourceOptions): Promise<Source> {
  const bytes = bytesOf(path);
  let start: Buffer = Buffer.alloc(0);
  let end: number | null = null;
  let isOver = false;
  while (end === null && !isOver && start.length <= maxRecordBytes) {
    const next = await bytes.next();
    if (next.done === true) isOver = true;
    else start = Buffer.concat([start, next.value]);
    refuseUtf16(start);
    end = headerEnd(start, markLength(start));
  }
  const mark = markLength(start);
  if (end === null && start.length > maxRecordBytes) throw new Unreadable(problems.tooLong, 1);
  const head = start.subarray(mark, end === null ? start.length : end + 1);
  const text = head.toString("utf8");
  const separator = separatorOf(text);
  const splitter = new RecordSplitter(separator, { line: 1, offset: mark });
  const [first] = [...splitter.push(head), ...splitter.finish()];
  if (first === undefined) throw new Unreadable("The file has no header", null);
  const header = cellsOf(first, separator);
  if ("problem" in header) throw new Unreadable(header.problem, first.line);
  const toContent = (found: Found): Content => {
    const read = cellsOf(found, separator);
    if ("problem" in read) return { kind: "unread", problem: read.problem };
    const expected = header.cells.length;
    if (read.cells.length !== expected) {
      return { kind: "unread", problem: problems.cells(expected, read.cells.length) };
    }
    return { kind: "cells", cells: read.cells };
  };
  const begin = { row: 0, line: first.nextLine, offset: mark + head.length };
  const rest = start.subarray(mark + head.length);
  const place = from ?? begin;
  const chunks = from === null ? withFirst(rest, bytes) : await reopened(bytes, path, from);
  return {
    header: { columns: header.cells.map((name) => name.trim()), line: first.line },
    records: records(chunks, new RecordSplitter(separator, place), place, {
      hasLines: true,
      content: toContent,
    }),
  };
}

function cellsOf(found: Found, separator: string) {
  return "problem" in found ? found : readCells(found.text, separator);
}

async function openJson({ path, format, from }: SourceOptions): Promise<Source> {
  const bytes = bytesOf(path, from?.offset);
  const next = await bytes.next();
  const start: Buffer = next.done === true ? Buffer.alloc(0) : next.value;
  const mark = from === null ? markLength(start) : 0;
  if (from === null) refuseUtf16(start);
  const place = from ?? { row: 0, line: 1, offset: mark };
  const isList = format === "json";
  const splitter = isList
    ? new ListSplitter({ offset: place.offset, elements: place.row })
    : new RecordSplitter(null, place);
  const chunks = withFirst(start.subarray(mark), bytes);
  return {
    header: null,
    records: records(chunks, splitter, place, { hasLines: !isList, content: objectOf }),
  };
}

function objectOf(found: Found): Content {
  if ("problem" in found) return { kind: "unread", problem: found.problem };
  const parsed = parseJson(found.text);
  if (parsed.kind !== "value") {
    return { kind: "unread", problem: parsed.kind === "deep" ? problems.deep : problems.noJson };
  }
  const { value } = parsed;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return { kind: "object", values: { ...value } };
  }
  return { kind: "unread", problem: problems.noObject };
}

function refuseUtf16(bytes: Buffer): void {
  if (isUtf16(bytes)) throw new Unreadable("This file is UTF-16. Save it again as UTF-8", null);
}

async function* withFirst(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

async function reopened(
  former: AsyncIterator<Buffer>,
  path: string | null,
  { offset }: Position,
): Promise<AsyncGenerator<Buffer>> {
  await former.return?.();
  return withFirst(Buffer.alloc(0), bytesOf(path, offset));
}

interface Splitter {
  push(chunk: Buffer): readonly Found[];
  finish(): readonly Found[];
}

interface Reading {
  /** Whether records have line numbers. */
  readonly hasLines: boolean;
  content(found: Found): Content;
}

/** A record of which only the text is held: what it contains is read each time it is asked for. */
class FoundRecord implements FileRecord {
  readonly row: number;
  readonly #found: Found;
  readonly #reading: Reading;

  constructor(row: number, found: Found, reading: Reading) {
    this.row = row;
    this.#found = found;
    this.#reading = reading;
  }

  get line(): number | null {
    return this.#reading.hasLines ? this.#found.line : null;
  }

  get after(): Position {
    return { row: this.row, line: this.#found.nextLine, offset: this.#found.end };
  }

  get content(): Content {
    return this.#reading.content(this.#found);
  }
}

async function* records(
  chunks: AsyncIterable<Buffer>,
  splitter: Splitter,
  { row: before }: Position,
  reading: Reading,
): AsyncGenerator<readonly FileRecord[]> {
  let row = before;
  const numbered = (found: Found): FileRecord => {
    row += 1;
    return new FoundRecord(row, found, reading);
  };
  try {
    for await (const chunk of chunks) yield splitter.push(chunk).map(numbered);
    yield splitter.finish().map(numbered);
  } catch (error) {
    if (error instanceof NoList) throw new Unreadable(error.message, null);
    throw error;
  }
}
