/**
 * Bytes examined before anything is stored. Signatures are in the first few hundred. The rest is for zip archives,
 * whose entries distinguish documents (`[Content_Types].xml` with its neighbors, `META-INF/`), and for text, whose
 * first tag may follow a long comment. Each running upload buffers this much, whatever the size of its file.
 */
export const openingLength = 65_536;

export interface Opening {
  /** `openingLength` bytes, or the whole of a shorter file, regardless of chunk boundaries. */
  readonly bytes: Uint8Array;
  /** Whether these are all bytes of the file. */
  readonly isWhole: boolean;
  /** The whole file from its first byte, readable once. */
  readonly all: AsyncIterable<Uint8Array>;
  /** Closes the source if `all` will not be read. */
  discard(): Promise<void>;
}

/**
 * Reads a file's opening, and no more chunks than needed. The chunks are copied into one buffer: one-byte chunks, as
 * from slow clients, would take hundreds of bytes each. Errors of the source are rethrown.
 */
export async function readOpening(source: AsyncIterable<Uint8Array>): Promise<Opening> {
  const rest = source[Symbol.asyncIterator]();
  const gathering = newGathering();
  let isWhole = false;
  while (gathering.bytes().length < openingLength && !isWhole) {
    const { done, value } = await rest.next();
    if (done) isWhole = true;
    else gathering.add(value);
  }
  const first = gathering.bytes();
  return {
    bytes: first.subarray(0, openingLength),
    isWhole,
    all: replay(first, rest),
    discard: async () => {
      await rest.return?.();
    },
  };
}

/** Collects bytes in a buffer of at most twice their length, or of an opening's length if that is more. */
export function newGathering() {
  let memory = Buffer.alloc(0);
  let length = 0;
  return {
    add(piece: Uint8Array): void {
      const needed = length + piece.length;
      if (needed > memory.length) {
        const larger = Buffer.alloc(Math.max(needed, Math.min(2 * needed, openingLength)));
        larger.set(memory.subarray(0, length));
        memory = larger;
      }
      memory.set(piece, length);
      length = needed;
    },
    bytes: () => memory.subarray(0, length),
  };
}

/** Yields the whole file, and closes the source if its reader stops early. */
async function* replay(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
