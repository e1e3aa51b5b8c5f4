import type { FileRecord } from "../read/source.js";
import type { ReadRow } from "./row-reader.js";

/** The most rows, and bytes of the file, that are stored together. */
const most = { rows: 1_000, bytes: 500_000 };

/** Reads rows in chunks of a bounded size; a single row may be larger. */
export async function* chunksOf(
  records: AsyncIterable<readonly FileRecord[]>,
  from: number,
  read: (record: FileRecord) => ReadRow,
): AsyncGenerator<readonly ReadRow[]> {
  let chunk: ReadRow[] = [];
  let start = from;
  for await (const some of records) {
    for (const record of some) {
      chunk.push(read(record));
      if (chunk.length < most.rows && record.after.offset - start < most.bytes) continue;
      yield chunk;
      chunk = [];
      start = record.after.offset;
    }
  }
  if (chunk.length > 0) yield chunk;
}
