import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { csvLine } from "../../values/files/csv-line.js";
import { spreadsheetMark } from "../../values/files/spreadsheet.js";
import type { FileRecord } from "../read/source.js";
import { ownColumns } from "./columns.js";
import type { Mistake } from "./request.js";

/** The file of refused rows, which can be imported after correction; it is created with the first of them. */
export interface ErrorsFile {
  /** Appends rows; they are on disk when it returns. */
  add(rows: readonly RefusedRow[]): void;
  /** The size in bytes. */
  readonly size: number;
  /** Truncates the file to that number of bytes. */
  cut(size: number): void;
  close(): void;
}

export interface RefusedRow {
  readonly record: FileRecord;
  readonly mistakes: readonly Mistake[];
}

interface ErrorsFileOptions {
  /** Null to write no file: the rows of a table stay in the table. */
  readonly path: string | null;
  /** The columns of a CSV file; null for JSON. */
  readonly columns: readonly string[] | null;
  /** Bytes that an earlier run has written; 0 replaces an older file. */
  readonly size: number;
  /** Whether the file begins with the UTF-8 byte order mark, which overrides the encoding when it is imported. */
  readonly isMarked: boolean;
}

/** The file contains values of records or accounts. */
const ownersMode = 0o600;

const noFile: ErrorsFile = { add() {}, size: 0, cut() {}, close() {} };

export function openErrorsFile(options: ErrorsFileOptions): ErrorsFile {
  const { path } = options;
  return path === null ? noFile : openFile({ ...options, path });
}

function openFile(options: ErrorsFileOptions & { readonly path: string }): ErrorsFile {
  const { path, columns, size: former, isMarked } = options;
  let size = former;
  let file: number | null = null;
  if (size === 0) rmSync(path, { force: true });

  function opened(): number {
    if (file !== null) return file;
    file = openSync(path, size === 0 ? "w" : "a", ownersMode);
    ftruncateSync(file, size);
    return file;
  }

  function write(text: string): void {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(opened(), bytes, at);
    size += bytes.length;
  }

  /** Runs the work; if it fails, restores the file's previous content. */
  function whole(work: () => void): void {
    const before = size;
    try {
      work();
    } catch (error) {
      size = before;
      if (file !== null) ftruncateSync(file, before);
      if (!(error instanceof Error)) throw error;
      // Node's error does not name the file, for example on a full disk.
      error.message = `The file of refused rows ${path} cannot be written: ${error.message}`;
      throw error;
    }
  }

  return {
    add(rows) {
      if (rows.length === 0) return;
      whole(() => {
        if (size === 0 && columns !== null) {
          write(`${isMarked ? spreadsheetMark : ""}${csvLine([...ownColumns, ...columns])}`);
        }
        write(rows.map((row) => lineOf(row, columns)).join(""));
        fsyncSync(opened());
      });
    },
    get size() {
      return size;
    },
    cut(to) {
      if (to === size) return;
      ftruncateSync(opened(), to);
      size = to;
    },
    close() {
      if (file !== null) closeSync(file);
      if (size === 0) rmSync(path, { force: true });
    },
  };
}

function lineOf({ record, mistakes }: RefusedRow, columns: readonly string[] | null): string {
  const { row, line, content } = record;
  const column = mistakes.map((one) => one.column ?? "").join("; ");
  const message = mistakes.map((one) => one.message).join("; ");
  if (columns === null) {
    const values = content.kind === "object" ? content.values : {};
    const own = { _row: row, _line: line, _column: column, _message: message };
    return `${JSON.stringify({ ...own, ...withoutOwn(values) })}\n`;
  }
  const cells = content.kind === "cells" ? content.cells : columns.map(() => "");
  return csvLine([String(row), line === null ? "" : String(line), column, message, ...cells]);
}

/** Removes the additional columns, which a corrected file has from a previous run. */
function withoutOwn(values: Readonly<Record<string, unknown>>) {
  const own = new Set<string>(ownColumns);
  return Object.fromEntries(Object.entries(values).filter(([key]) => !own.has(key)));
}
