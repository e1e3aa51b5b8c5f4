import { Buffer } from "node:buffer";
import { BackupProblem } from "./problem.js";
import { damaged } from "./read-tar.js";
import { passphraseIdentity, passphraseRecipient, workFactor } from "./scrypt.js";

/** The beginning of an age file that only a passphrase can decrypt. */
const sealedHead =
  /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9][0-9]?)\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/;

/** The first bytes of every age file. */
const ageHead = "age-encryption.org/";

/** Whether the first bytes are those of an age file. */
export function isSealed(head: Buffer): boolean {
  return head.subarray(0, ageHead.length).toString("latin1") === ageHead;
}

/** Encrypts the bytes as an age file that the passphrase decrypts. */
export async function seal(
  bytes: AsyncIterable<Uint8Array>,
  passphrase: string,
): Promise<AsyncIterable<Uint8Array>> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.addRecipient(await passphraseRecipient(passphrase));
  return encrypter.encrypt(streamOf(bytes));
}

/** Decrypts an age file; may be called any number of times. */
export type Unseal = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Buffer>;

/**
 * Verifies the passphrase of an age file; `head` is at least its first kilobyte.
 *
 * @throws {BackupProblem} if the file is not encrypted with a passphrase, the passphrase is wrong, or the work factor
 * is higher than the one used here.
 */
export async function unsealWith(head: Buffer, passphrase: string): Promise<Unseal> {
  const [written, factor] = sealedHead.exec(head.toString("latin1")) ?? [];
  const openItFirst = "decrypt it first: age --decrypt <file> | npx service restore -";
  if (written === undefined) {
    throw new BackupProblem("The archive is encrypted, but not with a passphrase", openItFirst);
  }
  // Each increment doubles the memory.
  if (Number(factor) > workFactor) {
    throw new BackupProblem(
      `The archive is encrypted with a work factor of ${factor}; at most ${workFactor} is opened here`,
      openItFirst,
    );
  }
  const { Decrypter } = await import("age-encryption");
  const guess = new Decrypter();
  guess.addIdentity(passphraseIdentity(passphrase));
  const key = await guess.decryptHeader(Buffer.from(written, "latin1")).catch(() => {
    throw new BackupProblem(
      "The passphrase does not open the archive",
      "enter the passphrase with which it was encrypted",
    );
  });
  const decrypter = new Decrypter();
  // The file's own key, because deriving it from the passphrase again would be slow.
  decrypter.addIdentity({ unwrapFileKey: () => key });
  return (bytes) => opened(() => decrypter.decrypt(streamOf(bytes)));
}

async function* opened(decrypted: () => Promise<AsyncIterable<Uint8Array>>) {
  try {
    for await (const { buffer, byteOffset, byteLength } of await decrypted()) {
      yield Buffer.from(buffer, byteOffset, byteLength);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) throw error;
    throw damaged("it cannot be decrypted to its end");
  }
}

function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from(bytes);
}
