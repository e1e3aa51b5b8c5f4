import { Buffer } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { unzipped } from "./gzip.js";
import { isSealed, type Unseal, unsealWith } from "./passphrase.js";
import { BackupProblem } from "./problem.js";
import { entriesOf, type TarEntry } from "./read-tar.js";

/** An archive on disk, which can be read any number of times. */
export interface Archive {
  readonly isEncrypted: boolean;
  /** The size of the file in bytes. */
  readonly bytes: number;
  /** `onRead` receives the number of bytes of the file read so far. */
  entries(onRead: (bytes: number) => void): AsyncGenerator<TarEntry>;
  close(): Promise<void>;
}

const headBytes = 1024;
const gzipHead = Buffer.of(0x1f, 0x8b);

/**
 * Opens an archive; calls `passphrase` if it is encrypted.
 *
 * @throws {BackupProblem} for a file that is not an archive.
 */
export async function openArchive(
  path: string,
  passphrase: () => Promise<string>,
): Promise<Archive> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const head = await headOf(file);
    const isEncrypted = isSealed(head);
    if (!isEncrypted && !head.subarray(0, gzipHead.length).equals(gzipHead)) {
      throw new BackupProblem(`${path} is not an archive made by service backup`);
    }
    const unseal = isEncrypted ? await unsealWith(head, await passphrase()) : null;
    return {
      isEncrypted,
      bytes: size,
      entries: (onRead) => entriesOf(plainBytes({ file, unseal, onRead })),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function headOf(file: FileHandle): Promise<Buffer> {
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await file.read(head, 0, headBytes, 0);
  return head.subarray(0, bytesRead);
}

interface Reading {
  readonly file: FileHandle;
  readonly unseal: Unseal | null;
  readonly onRead: (bytes: number) => void;
}

async function* plainBytes({ file, unseal, onRead }: Reading): AsyncGenerator<Buffer> {
  const stored = chunksOf(file, onRead);
  yield* unzipped(unseal === null ? stored : unseal(stored));
}

const chunkBytes = 64 * 1024;

async function* chunksOf(
  file: FileHandle,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    onRead(at);
    yield buffer.subarray(0, bytesRead);
  }
}
