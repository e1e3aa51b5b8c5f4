import {
  encodingNames,
  encodingOf,
  isUtf16,
  markLength,
  transcoder,
} from "../../../../values/csv/encoding.js";
import { isEmptyRow, readHead, readRow } from "../../../../values/csv/head.js";
import type { Encoding } from "../../../../values/csv/options.js";
import { type ByteText, RecordSplitter } from "../../../../values/csv/splitter.js";
import { bareCell } from "../../../../values/files/spreadsheet.js";
import { workbookMark } from "../../../../values/files/workbook.js";

/** A table of records: the column names, and the rows as written. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The line in which each row begins. */
  readonly lines: readonly number[];
  /** Rows that cannot be read. */
  readonly unread: readonly { readonly line: number; readonly message: string }[];
  readonly delimiter: string;
}

export type ReadTable =
  | { readonly kind: "table"; readonly table: Table }
  | {
      readonly kind: "refused";
      readonly reason: "encoding" | "utf16" | "workbook" | "empty" | "rows" | "size" | "broken";
    };

/** Maximum number of rows in a file: memory holds the whole file and the parsed rows. */
export const mostRows = 100_000;
export const mostBytes = 50_000_000;

/**
 * Parses CSV as `service import` does. A file with a UTF-8 byte order mark was written for spreadsheets, as by `service
 * export --spreadsheet` and the dashboard: the apostrophes before cells that a spreadsheet would execute are removed.
 */
export function readTable(file: Uint8Array, named: Encoding = "utf-8"): ReadTable {
  if (file.length > mostBytes) return refused("size");
  if (workbookMark(file)) return refused("workbook");
  const encoding = encodingOf(file, named);
  if (encoding !== "utf-16" && isUtf16(file)) return refused("utf16");
  const bytes = encoding === "utf-8" ? file : transcoder(encoding, file)(file, true);
  if (encoding === "utf-8" && !isUtf8(bytes)) return refused("encoding");
  const byteText: ByteText = {
    isSound: isUtf8,
    text: (some) => lenient.decode(some),
    encoding: encodingNames[encoding],
  };
  const from = markLength(bytes);
  const head = readHead(bytes, { from, isWhole: true, byteText });
  if (head === null) return refused("empty");
  if ("problem" in head) return refused(head.line === null ? "empty" : "broken");
  const { separator, lineEnd, after, columns } = head;
  const splitter = new RecordSplitter({ separator, lineEnd, byteText, ...after });
  const rest = bytes.subarray(after.offset);
  const found = [...splitter.push(rest), ...splitter.finish()].filter(
    (one) => !isEmptyRow(one, head),
  );
  if (found.length === 0) return refused("empty");
  if (found.length > mostRows) return refused("rows");
  const bare = from > 0 ? bareCell : (cell: string) => cell;
  const rows: (readonly string[])[] = [];
  const lines: number[] = [];
  const unread: { line: number; message: string }[] = [];
  for (const one of found) {
    const row = readRow(one, head);
    if ("problem" in row) {
      unread.push({ line: one.line, message: row.problem });
      continue;
    }
    rows.push(row.cells.map(bare));
    lines.push(one.line);
  }
  return { kind: "table", table: { head: columns, rows, lines, unread, delimiter: separator } };
}

function refused(reason: Extract<ReadTable, { kind: "refused" }>["reason"]): ReadTable {
  return { kind: "refused", reason };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
