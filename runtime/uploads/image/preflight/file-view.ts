import { type FileHandle, open } from "node:fs/promises";

/** Random access to a file. */
export interface FileView {
  readonly size: number;
  /** Reads `length` bytes at the offset; fewer at the end of the file. */
  bytes(at: number, length: number): Promise<Buffer>;
  /** Yields all bytes in order, for parsers that advance in many small steps. */
  all(): AsyncIterable<Buffer>;
}

/** Bytes per read: enough for values that are close together, and cheap for values far apart. */
const windowLength = 16_384;

/** Opens a file for random access, and closes it after `look`. */
export async function viewFile<T>(path: string, look: (file: FileView) => Promise<T>): Promise<T> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    return await look(viewOf(handle, size));
  } finally {
    await handle.close();
  }
}

function viewOf(handle: FileHandle, size: number): FileView {
  let window = Buffer.alloc(0);
  let from = 0;
  return {
    size,
    async bytes(at, length) {
      const end = Math.min(size, at + length);
      if (at >= end) return Buffer.alloc(0);
      if (at < from || end > from + window.length) {
        const wanted = Buffer.alloc(Math.max(length, windowLength));
        const { bytesRead } = await handle.read(wanted, 0, wanted.length, at);
        window = wanted.subarray(0, bytesRead);
        from = at;
      }
      return window.subarray(at - from, end - from);
    },
    all: () => handle.createReadStream({ start: 0, autoClose: false }),
  };
}
