import type { FileRecord } from "../read/source.js";

/** Maximum number of records in a chunk, and of their bytes in the file. */
const most = { rows: 1_000, bytes: 500_000 };

/** Splits records into chunks of limited size; a single record may be larger. */
export async function* chunksOf(
  records: AsyncIterable<readonly FileRecord[]>,
  from: number,
): AsyncGenerator<readonly FileRecord[]> {
  let chunk: FileRecord[] = [];
  let start = from;
  for await (const some of records) {
    for (const record of some) {
      chunk.push(record);
      if (chunk.length < most.rows && record.after.offset - start < most.bytes) continue;
      yield chunk;
      chunk = [];
      start = record.after.offset;
    }
  }
  if (chunk.length > 0) yield chunk;
}

/** Yields the same items, producing the next one while one is processed. */
export async function* ahead<One>(all: AsyncGenerator<One>): AsyncGenerator<One> {
  const next = () => {
    const coming = all.next();
    // Prevents an unhandled rejection: the promise is awaited later.
    coming.catch(() => {});
    return coming;
  };
  let coming = next();
  try {
    for (;;) {
      const { done, value } = await coming;
      if (done === true) return;
      coming = next();
      yield value;
    }
  } finally {
    await all.return(undefined);
  }
}
