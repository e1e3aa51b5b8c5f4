import { readCells } from "./cells.js";
import { type Found, problems } from "./found.js";
import { type ByteText, type LineEnd, RecordSplitter } from "./splitter.js";

/** The header of a CSV file, and the format of its records. */
export interface Head {
  /** Without trailing empty columns. */
  readonly columns: readonly string[];
  /** Number of cells, including trailing empty ones. */
  readonly width: number;
  readonly separator: string;
  readonly lineEnd: LineEnd;
  /** The line number of the header. */
  readonly line: number;
  /** The position after the header. */
  readonly after: { readonly line: number; readonly offset: number };
}

export type ReadHead = Head | { readonly problem: string; readonly line: number | null };

interface HeadOptions {
  /** The offset of the first byte after a byte order mark. */
  readonly from: number;
  /** Whether these are all bytes of the file. */
  readonly isWhole: boolean;
  readonly byteText: ByteText;
}

/** Parses the header of a file from its first bytes; null if more are needed. */
export function readHead(
  bytes: Uint8Array,
  { from: start, isWhole, byteText }: HeadOptions,
): ReadHead | null {
  const lineEnd = lineEndOf(bytes, start) ?? (isWhole ? lineFeed : null);
  if (lineEnd === null) return null;
  let [from, line] = [start, 1];
  let named: string | null = null;
  while (from < bytes.length) {
    const end = endOfLine(bytes, from, lineEnd);
    if (end < 0 && !isWhole) return null;
    const next = end < 0 ? bytes.length : end + 1;
    const own = bytes.subarray(from, next);
    const text = byteText.text(own).replace(/[\r\n]+$/, "");
    const following = line + breaksIn(own, lineEnd);
    const separator = named ?? separatorOf(text);
    const first = line === 1 ? namedSeparator.exec(text)?.[1] : undefined;
    if (first !== undefined) named = first;
    else if (!isEmptyText(text, separator)) {
      const after = { line: following, offset: next };
      const splitter = new RecordSplitter({ separator, lineEnd, byteText, line, offset: from });
      const [found] = [...splitter.push(own), ...splitter.finish()];
      return headOf(found, { separator, lineEnd, line, after });
    }
    [from, line] = [next, following];
  }
  return isWhole ? { problem: problems.noHeader, line: null } : null;
}

function headOf(
  found: Found | undefined,
  read: Pick<Head, "separator" | "lineEnd" | "line" | "after">,
): ReadHead {
  if (found === undefined) return { problem: problems.noHeader, line: null };
  const row = "problem" in found ? found : readCells(found.text, read.separator);
  if ("problem" in row) return { problem: row.problem, line: read.line };
  const names = row.cells.map((name) => name.trim());
  const columns = names.slice(0, names.findLastIndex((name) => name !== "") + 1);
  return { ...read, columns, width: names.length };
}

/** Whether all cells of a record are empty. */
export function isEmptyRow(found: Found, { separator }: Pick<Head, "separator">): boolean {
  return "text" in found && isEmptyText(found.text, separator);
}

/** A fast check: almost no record begins with a separator. */
function isEmptyText(text: string, separator: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === separator) continue;
    const isCell = text[at] === '"' && text[at + 1] === '"' && text[at - 1] !== '"';
    if (!isCell) return false;
    at += 1;
  }
  return true;
}

export type ReadRow = { readonly cells: readonly string[] } | { readonly problem: string };

/** The cells of a record, one for each column of the header. */
export function readRow(found: Found, { columns, width, separator }: Head): ReadRow {
  if ("problem" in found) return found;
  const read = readCells(found.text, separator);
  if ("problem" in read || read.cells.length === columns.length) return read;
  const { cells } = read;
  const rest = cells.slice(columns.length);
  const isPadded = cells.length > columns.length && cells.length <= width;
  if (isPadded && rest.every((cell) => cell === "")) {
    return { cells: cells.slice(0, columns.length) };
  }
  return { problem: problems.cells(columns.length, cells.length) };
}

/** Possible separators. If several are equally frequent, the first is used. */
const separators = [",", ";", "\t"] as const;

/** Detects the separator of a file: the most frequent one in its header outside quotation marks. */
export function separatorOf(header: string): string {
  const outside = header.replace(/"[^"]*"?/g, "");
  const [first, ...others] = separators.map((separator) => ({
    separator,
    times: outside.split(separator).length,
  }));
  let best = first ?? { separator: ",", times: 0 };
  for (const one of others) if (one.times > best.times) best = one;
  return best.separator;
}

/** A line for Excel that declares the separator, an ASCII character. */
const namedSeparator = /^sep=([\t!#-/:-@[-`{-~])$/i;

const [lineFeed, carriageReturn, quote] = [10, 13, 34] as const;

/**
 * Detects the line ending: a line feed, or a carriage return if no line feed follows the first one. Null if more bytes
 * are needed.
 */
function lineEndOf(bytes: Uint8Array, from: number): LineEnd | null {
  let isQuoted = false;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) isQuoted = !isQuoted;
    if (isQuoted || (byte !== lineFeed && byte !== carriageReturn)) continue;
    let after = at;
    while (bytes[after] === carriageReturn) after += 1;
    if (after === bytes.length) return null;
    return bytes[after] === lineFeed ? lineFeed : carriageReturn;
  }
  return null;
}

/** The offset of the line ending outside quotation marks; -1 if the line is incomplete. */
function endOfLine(bytes: Uint8Array, from: number, lineEnd: LineEnd): number {
  let isQuoted = false;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) isQuoted = !isQuoted;
    if (byte === lineEnd && !isQuoted) return at;
  }
  return -1;
}

function breaksIn(bytes: Uint8Array, lineEnd: LineEnd): number {
  return bytes.reduce((count, byte) => (byte === lineEnd ? count + 1 : count), 0);
}
