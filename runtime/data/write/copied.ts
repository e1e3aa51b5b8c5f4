import { StringDecoder } from "node:string_decoder";

/**
 * Yields the lines of `copy … to stdout` in text format as they arrive. Each contains one row, without unescaped line
 * breaks.
 */
export async function* copiedLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (
      rest + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
    ).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0) yield lines;
  }
}

/** The values of a row; null becomes an empty text. */
export function copiedCells(line: string): readonly string[] {
  const cells = line.split("\t");
  return line.includes("\\") ? cells.map((cell) => (cell === "\\N" ? "" : unescaped(cell))) : cells;
}

/** The only value of a row, as JSON, in which `copy` escapes only backslashes. */
export function copiedJson(line: string): string {
  return line.replaceAll("\\\\", "\\");
}

const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function unescaped(cell: string): string {
  return cell.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
}
