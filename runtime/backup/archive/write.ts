import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { zipped } from "./gzip.js";
import { seal } from "./passphrase.js";
import { endOfTar, headOf, paddingOf } from "./write-tar.js";

/** A file for an archive, in which the size precedes the bytes. */
export interface NewEntry {
  readonly name: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Writes the parts of a tar and computes the sums of its entries. */
export interface TarWriter {
  /** SHA-256 in hex of each written entry, by name. */
  readonly sums: ReadonlyMap<string, string>;
  /** @throws if the number of bytes differs from `size`. */
  entry(entry: NewEntry): AsyncGenerator<Buffer>;
  text(name: string, text: string): AsyncGenerator<Buffer>;
  end(): Buffer;
}

export function newTar(madeAt: Date): TarWriter {
  const sums = new Map<string, string>();

  async function* entry({ name, size, bytes }: NewEntry): AsyncGenerator<Buffer> {
    yield headOf(name, size, madeAt);
    const hash = createHash("sha256");
    let length = 0;
    for await (const chunk of bytes) {
      length += chunk.length;
      if (length > size) break;
      hash.update(chunk);
      yield chunk;
    }
    if (length !== size) throw new Error(`${name} does not have ${size} bytes`);
    sums.set(name, hash.digest("hex"));
    yield paddingOf(size);
  }

  return {
    sums,
    entry,
    text(name, text) {
      const bytes = Buffer.from(text);
      const once = async function* () {
        yield bytes;
      };
      return entry({ name, size: bytes.length, bytes: once() });
    },
    end: () => endOfTar,
  };
}

/** Yields the bytes of an archive that contains the tar, encrypted if there is a passphrase. */
export async function archiveOf(
  tar: AsyncIterable<Buffer>,
  passphrase: string | null,
): Promise<AsyncIterable<Uint8Array>> {
  return passphrase === null ? zipped(tar) : seal(zipped(tar), passphrase);
}
