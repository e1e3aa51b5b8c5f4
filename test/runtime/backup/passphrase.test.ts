import { buffer } from "node:stream/consumers";
import { Decrypter, Encrypter } from "age-encryption";
import { expect } from "vitest";
import { seal, unsealWith } from "../../../runtime/backup/archive/passphrase.js";
import { rare, test } from "../../support/rare.js";

const text = Buffer.from("what is in an archive".repeat(10_000));

async function* pieces(bytes: Uint8Array, size = 1_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const passphrase = "pässphrase";

rare("a sealed file is an age file that other programs open", async () => {
  const sealed = await buffer(await seal(pieces(text), passphrase));
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  expect(Buffer.from(await decrypter.decrypt(sealed)).equals(text)).toBe(true);
});

test("an age file that other programs seal with a passphrase is opened, any number of times", async () => {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(12);
  const sealed = Buffer.from(await encrypter.encrypt(text));
  const unseal = await unsealWith(sealed.subarray(0, 1024), passphrase);
  for (const size of [1, 70_000]) {
    expect((await buffer(unseal(pieces(sealed.subarray(0), size * 10)))).equals(text)).toBe(true);
  }
  await expect(unsealWith(sealed.subarray(0, 1024), "another")).rejects.toThrow("does not open");
  const cut = sealed.subarray(0, -1);
  await expect(buffer(unseal(pieces(cut)))).rejects.toThrow("cannot be decrypted to its end");
});

test("a file for a recipient, or with too high a work factor, is refused", async () => {
  const encrypter = new Encrypter();
  encrypter.addRecipient("age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p");
  const sealed = Buffer.from(await encrypter.encrypt(text));
  const opening = unsealWith(sealed.subarray(0, 1024), passphrase);
  await expect(opening).rejects.toThrow("not with a passphrase");
});
