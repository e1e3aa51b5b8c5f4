import type { Source, StorageError } from "./storage.js";

/**
 * Runs the work with the source. Errors of the source are rethrown unchanged; every other error becomes a storage
 * error.
 */
export async function storeFrom(
  source: Source,
  failure: (error: unknown) => StorageError,
  work: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const blamed: { error: unknown }[] = [];
  const bytes = reportErrors(source, (error) => blamed.push({ error }));
  try {
    await work(bytes);
  } catch (error) {
    const [first] = blamed;
    throw first === undefined ? failure(error) : first.error;
  }
}

/** Passes the bytes through. A generator would also catch errors that its reader throws into it. */
function reportErrors(source: Source, blame: (error: unknown) => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator =
        Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
      return {
        async next() {
          try {
            return await iterator.next();
          } catch (error) {
            blame(error);
            throw error;
          }
        },
        async return() {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
