import { problems } from "./found.js";

/** The cells of a record, or the problem with its quotation marks. */
export type ReadCells = { readonly cells: readonly string[] } | { readonly problem: string };

export function readCells(text: string, separator: string): ReadCells {
  if (!text.includes('"')) return { cells: text.split(separator) };
  const cells: string[] = [];
  for (let at = 0; ; at += 1) {
    const read = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator);
    if ("problem" in read) return read;
    cells.push(read.cell);
    at = read.end;
    if (at >= text.length) return { cells };
    if (text[at] !== separator) return { problem: problems.behindQuote };
  }
}

type ReadCell = { readonly cell: string; readonly end: number } | { readonly problem: string };

function plainCell(text: string, start: number, separator: string): ReadCell {
  const next = text.indexOf(separator, start);
  const end = next < 0 ? text.length : next;
  const cell = text.slice(start, end);
  return cell.includes('"') ? { problem: problems.insideCell } : { cell, end };
}

/** Parses a quoted cell, in which two quotation marks stand for one. */
function quotedCell(text: string, start: number): ReadCell {
  let cell = "";
  for (let at = start + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end < 0) return { problem: problems.neverClosed };
    cell += text.slice(at, end);
    if (text[end + 1] !== '"') return { cell, end: end + 1 };
    cell += '"';
    at = end + 2;
  }
}
