import { csvLine, spreadsheetLine } from "../../values/files/csv-line.js";
import type { Format } from "../../values/files/record-format.js";
import { spreadsheetMark } from "../../values/files/spreadsheet.js";
import { copiedCells, copiedJson, copiedLines } from "./copied.js";

/** The format of a file of records. */
export interface FileForm {
  readonly format: Format;
  /** The keys of a record, in its order. */
  readonly keys: readonly string[];
  /** Whether it is for spreadsheets: with a byte order mark, and with cells escaped that would run as formulas. */
  readonly isForSpreadsheet: boolean;
}

/** Yields the text of a file in chunks from the rows of `copy … to stdout`; `onRows` is called with their number. */
export async function* recordsFile(
  { format, keys, isForSpreadsheet }: FileForm,
  rows: AsyncIterable<Uint8Array>,
  onRows: (rows: number) => void,
): AsyncGenerator<string> {
  const { head, piece, end } = format === "csv" ? csv({ keys, isForSpreadsheet }) : json(format);
  yield head;
  let done = 0;
  for await (const lines of copiedLines(rows)) {
    yield piece(lines, { isFirst: done === 0 });
    done += lines.length;
    onRows(done);
  }
  yield end;
}

interface Pieces {
  readonly head: string;
  piece(lines: readonly string[], place: { readonly isFirst: boolean }): string;
  readonly end: string;
}

function csv({ keys, isForSpreadsheet }: Omit<FileForm, "format">): Pieces {
  const lineOf = isForSpreadsheet ? spreadsheetLine : csvLine;
  const head = csvLine(keys);
  return {
    head: isForSpreadsheet ? `${spreadsheetMark}${head}` : head,
    piece: (lines) => {
      let text = "";
      for (const line of lines) {
        // Most rows have nothing to escape.
        const isPlain = !isForSpreadsheet && !/[",\\\r]/.test(line);
        text += isPlain ? `${line.replaceAll("\t", ",")}\r\n` : lineOf(copiedCells(line));
      }
      return text;
    },
    end: "",
  };
}

function json(format: "json" | "ndjson"): Pieces {
  if (format === "ndjson") {
    return { head: "", piece: (lines) => `${lines.map(copiedJson).join("\n")}\n`, end: "" };
  }
  return {
    head: "[",
    piece: (lines, { isFirst }) => `${isFirst ? "\n" : ",\n"}${lines.map(copiedJson).join(",\n")}`,
    end: "\n]\n",
  };
}
