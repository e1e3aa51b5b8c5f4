import { markLength } from "../../values/csv/encoding.js";
import { type Found, maxRecordBytes, problems } from "../../values/csv/found.js";
import { type Head, isEmptyRow, readHead, readRow } from "../../values/csv/head.js";
import type { Encoding } from "../../values/csv/options.js";
import { RecordSplitter } from "../../values/csv/splitter.js";
import type { Format } from "../../values/files/record-format.js";
import { parseJson } from "../../values/json.js";
import { ListSplitter, NoList } from "../json/list.js";
import { openBytes, openBytesAt, withFirst } from "./bytes.js";
import { jsonProblems } from "./json-problems.js";
import { Unreadable } from "./unreadable.js";

export interface FileRecord {
  /** The row number, starting at 1. */
  readonly row: number;
  /** Null in a JSON list, and for a row of a table. */
  readonly line: number | null;
  /** The key of a row of a table. */
  readonly id?: string;
  /** The position at which the next record starts. */
  readonly after: Position;
  readonly content: Content;
}

export type Content =
  | { readonly kind: "cells"; readonly cells: readonly string[] }
  | {
      readonly kind: "object";
      readonly values: Readonly<Record<string, unknown>>;
      readonly text: string;
    }
  | { readonly kind: "unread"; readonly problem: string };

/** A position between two records: the number of records before it, the next line, and the next byte. */
export interface Position {
  readonly row: number;
  readonly line: number;
  readonly offset: number;
}

export interface Source {
  /** The columns of a CSV file or a table; null for JSON. */
  readonly header: { readonly columns: readonly string[]; readonly line: number | null } | null;
  readonly records: AsyncIterable<readonly FileRecord[]>;
  /** The number of the file's bytes read so far. */
  readBytes(): number;
}

export interface SourceOptions {
  /** Null for standard input. */
  readonly path: string | null;
  readonly format: Format;
  readonly encoding: Encoding;
  /** Where an earlier run ended; null to start at the beginning. */
  readonly from: Position | null;
}

/**
 * Opens a file of records, which are read on demand.
 *
 * @throws {Unreadable} for a file in another encoding, without a header, or without a list.
 */
export async function openSource(options: SourceOptions): Promise<Source> {
  return options.format === "csv" ? openCsv(options) : openJson(options);
}

async function openCsv(options: SourceOptions): Promise<Source> {
  const file = await openBytes(options);
  const { byteText } = file;
  let { start } = file;
  let isWhole = false;
  const read = () => readHead(start, { from: markLength(start), isWhole, byteText });
  let head = read();
  while (head === null) {
    if (start.length > maxRecordBytes) throw new Unreadable(problems.tooLong, 1);
    const next = await file.rest.next();
    if (next.done === true) isWhole = true;
    else start = Buffer.concat([start, next.value]);
    head = read();
  }
  if ("problem" in head) throw new Unreadable(head.problem, head.line);
  const known: Head = head;
  const { columns, line, separator, lineEnd, after } = known;
  const { from } = options;
  if (from !== null) await file.rest.return(null);
  const body =
    from === null
      ? { ...file, start: start.subarray(after.offset) }
      : await openBytesAt(options, from.offset);
  const place = from ?? { row: 0, ...after };
  const { line: atLine, offset } = place;
  const splitter = new RecordSplitter({ separator, lineEnd, byteText, line: atLine, offset });
  return {
    header: { columns, line },
    readBytes: body.read,
    records: records(withFirst(body), place, {
      splitter,
      hasLines: true,
      isSkipped: (found) => isEmptyRow(found, known),
      content(found) {
        const row = readRow(found, known);
        return "problem" in row
          ? { kind: "unread", problem: row.problem }
          : { kind: "cells", cells: row.cells };
      },
    }),
  };
}

async function openJson(options: SourceOptions): Promise<Source> {
  const { from, format } = options;
  const file = from === null ? await openBytes(options) : await openBytesAt(options, from.offset);
  const { byteText, start } = file;
  const mark = markLength(start);
  const place = from ?? { row: 0, line: 1, offset: mark };
  const { row, line, offset } = place;
  const isList = format === "json";
  const splitter = isList
    ? new ListSplitter({ offset, elements: row })
    : new RecordSplitter({ separator: null, lineEnd: 10, byteText, line, offset });
  return {
    header: null,
    readBytes: file.read,
    records: records(withFirst({ ...file, start: start.subarray(mark) }), place, {
      splitter,
      hasLines: !isList,
      isSkipped: () => false,
      content: objectOf,
    }),
  };
}

function objectOf(found: Found): Content {
  if ("problem" in found) return { kind: "unread", problem: found.problem };
  const parsed = parseJson(found.text);
  if (parsed.kind !== "value") {
    return {
      kind: "unread",
      problem: parsed.kind === "deep" ? jsonProblems.deep : jsonProblems.noJson,
    };
  }
  const { value } = parsed;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return { kind: "object", values: { ...value }, text: found.text };
  }
  return { kind: "unread", problem: jsonProblems.noObject };
}

interface Splitter {
  push(chunk: Buffer): readonly Found[];
  finish(): readonly Found[];
}

interface Reading {
  readonly splitter: Splitter;
  /** Whether records have line numbers. */
  readonly hasLines: boolean;
  /** Whether a found record is skipped and not counted. */
  isSkipped(found: Found): boolean;
  content(found: Found): Content;
}

/** A record that holds only its text and parses it on each access. */
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
  { row: before }: Position,
  reading: Reading,
): AsyncGenerator<readonly FileRecord[]> {
  const { splitter } = reading;
  let row = before;
  const numbered = (found: readonly Found[]): readonly FileRecord[] =>
    found
      .filter((one) => !reading.isSkipped(one))
      .map((one) => {
        row += 1;
        return new FoundRecord(row, one, reading);
      });
  try {
    for await (const chunk of chunks) yield numbered(splitter.push(chunk));
    yield numbered(splitter.finish());
  } catch (error) {
    if (error instanceof NoList) throw new Unreadable(error.message, null);
    throw error;
  }
}
