import { Buffer } from "node:buffer";
import { damaged } from "../archive/read-tar.js";

const lineFeed = 0x0a;

/** Returns the number of row ends in a chunk of `copy` output: a line feed within a value is escaped. */
export function rowsIn(bytes: Uint8Array): number {
  let rows = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) rows += 1;
  return rows;
}

/** Counts rows as chunks of `copy` output arrive; the last row may lack its line feed. */
export function rowCounter(onCount: (rows: number) => void) {
  let rows = 0;
  let isOpen = false;
  const add = (count: number) => {
    rows += count;
    onCount(count);
  };
  return {
    read(bytes: Uint8Array): void {
      if (bytes.length === 0) return;
      add(rowsIn(bytes));
      isOpen = bytes[bytes.length - 1] !== lineFeed;
    },
    end(): number {
      if (isOpen) add(1);
      return rows;
    },
  };
}

/** Returns `"id", "name"`. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(", ");
}

/** Maximum size in bytes of a row in tables whose values are read. */
const maxRowBytes = 64 * 1024;

/**
 * Calls back with the values of each row as chunks arrive, and finally with those of a last row without a line feed.
 */
export function rowReader(
  columns: readonly string[],
  onRow: (values: ReadonlyMap<string, string | null>) => void,
): RowReader {
  let rest = Buffer.alloc(0);
  return {
    read(bytes) {
      const text = Buffer.concat([rest, bytes]);
      let from = 0;
      for (let to = text.indexOf(lineFeed); to !== -1; to = text.indexOf(lineFeed, from)) {
        onRow(valuesOf(columns, text.toString("utf8", from, to)));
        from = to + 1;
      }
      rest = text.subarray(from);
      if (rest.length > maxRowBytes) throw damaged("a row is too long");
    },
    end() {
      if (rest.length > 0) onRow(valuesOf(columns, rest.toString("utf8")));
    },
  };
}

interface RowReader {
  read(bytes: Buffer): void;
  end(): void;
}

function valuesOf(columns: readonly string[], line: string): ReadonlyMap<string, string | null> {
  const cells = line.split("\t");
  if (cells.length !== columns.length) throw damaged("a row has too few or too many columns");
  return new Map(columns.map((column, at) => [column, cellValue(cells[at] ?? "")]));
}

/** Unescapes only the sequences that occur in keys, numbers and bytes. */
function cellValue(cell: string): string | null {
  return cell === "\\N" ? null : cell.replaceAll("\\\\", "\\");
}
