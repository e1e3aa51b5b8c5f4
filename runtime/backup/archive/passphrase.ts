import { Buffer } from "node:buffer";
import { BackupProblem } from "./problem.js";
import { damaged } from "./read-tar.js";

/** The base-2 logarithm of what a guess costs: 64 MiB, and a third of a second. */
const workFactor = 16;

/** The beginning of an age file that a passphrase opens, and nothing else. */
const sealedHead =
  /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9][0-9]?)\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/;

/** What the first bytes of every age file are. */
const ageHead = "age-encryption.org/";

/** Whether a file that begins like this is an age file. */
export function isSealed(head: Buffer): boolean {
  return head.subarray(0, ageHead.length).toString("latin1") === ageHead;
}

/** The same bytes inside an age file that the passphrase opens. */
export async function seal(
  bytes: AsyncIterable<Uint8Array>,
  passphrase: string,
): Promise<AsyncIterable<Uint8Array>> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  return encrypter.encrypt(streamOf(bytes));
}

/**
 * What is inside an age file; `head` is its beginning, a kilobyte or more of it.
 *
 * @throws {BackupProblem} where a passphrase does not open it, this one does not, or guesses cost more than ours.
 */
export async function unseal(
  bytes: AsyncIterable<Uint8Array>,
  head: Buffer,
  passphrase: string,
): Promise<AsyncIterable<Buffer>> {
  const [, factor] = sealedHead.exec(head.toString("latin1")) ?? [];
  const openItFirst = "decrypt it first: age --decrypt <file> | npx service restore -";
  if (factor === undefined) {
    throw new BackupProblem("The archive is encrypted, but with no passphrase", openItFirst);
  }
  // Each more doubles the memory.
  if (Number(factor) > workFactor) {
    throw new BackupProblem(
      `The archive is encrypted with a work factor of ${factor}; at most ${workFactor} is opened here`,
      openItFirst,
    );
  }
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return opened(await decrypter.decrypt(streamOf(bytes)));
  } catch {
    throw new BackupProblem("The passphrase does not open the archive");
  }
}

async function* opened(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next().catch(() => {
      throw damaged("it cannot be decrypted to its end");
    });
    if (next.done === true) return;
    const { buffer, byteOffset, byteLength } = next.value;
    yield Buffer.from(buffer, byteOffset, byteLength);
  }
}

function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from(bytes);
}
