import { Buffer } from "node:buffer";
import { Header, Pax } from "tar";

/** Size in bytes of the blocks of a tar. */
const block = 512;

/** The header that precedes the bytes of a plain file in a tar. */
export function headOf(name: string, size: number, madeAt: Date): Buffer {
  const header = new Header({ path: name, size, mode: 0o600, mtime: madeAt, type: "File" });
  const written = Buffer.alloc(block);
  // A long name, or a size of 8 GiB or more, needs an additional header.
  const isTooLong = header.encode(written);
  if (!isTooLong) return written;
  return Buffer.concat([new Pax({ path: name, size }).encode(), written]);
}

/** Returns the padding after that number of bytes. */
export function paddingOf(size: number): Buffer {
  return Buffer.alloc((block - (size % block)) % block);
}

export const endOfTar = Buffer.alloc(2 * block);
