import fc from "fast-check";
import { expect, test } from "vitest";
import { codeDigest, codeDigests, newCode } from "../../../runtime/auth/token/code.js";
import { currentKey, decrypt, encrypt, type Secrets } from "../../../runtime/secret/index.js";

const one: Secrets = { secret: Buffer.from("1".repeat(32)), previousSecret: null };
const other: Secrets = { secret: Buffer.from("2".repeat(32)), previousSecret: null };
/** After the secret was changed from the one to the other. */
const rotated: Secrets = { secret: other.secret, previousSecret: one.secret };

const context = "authenticator:01890000-0000-7000-8000-000000000000";
const plain = Buffer.from("twenty bytes of text");

test("an encrypted text can be decrypted in its context", () => {
  const bytes = fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes, fc.string(), (text, anyContext) => {
      const encrypted = encrypt(one, text, anyContext);
      expect(decrypt(one, encrypted, anyContext)).toEqual({ plain: text, outdated: false });
    }),
  );
});

test("the same text is never encrypted to the same bytes, and cannot be read in them", () => {
  const first = encrypt(one, plain, context);
  expect(first.equals(encrypt(one, plain, context))).toBe(false);
  expect(first.includes(plain.subarray(0, 4))).toBe(false);
});

test("in another context nothing can be decrypted", () => {
  const encrypted = encrypt(one, plain, context);
  for (const anyContext of ["", context.slice(1), `${context} `, context.toUpperCase()]) {
    expect(() => decrypt(one, encrypted, anyContext)).toThrow();
  }
});

test("any changed bit, or length, is detected", () => {
  const encrypted = encrypt(rotated, plain, context);
  for (let bit = 0; bit < encrypted.length * 8; bit += 1) {
    const changed = Buffer.from(encrypted);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => decrypt(rotated, changed, context), `bit ${bit}`).toThrow();
  }
  for (let length = 0; length < encrypted.length; length += 1) {
    expect(
      () => decrypt(rotated, encrypted.subarray(0, length), context),
      `${length} bytes`,
    ).toThrow();
  }
  expect(() => decrypt(rotated, Buffer.concat([encrypted, Buffer.alloc(1)]), context)).toThrow();
});

test("another secret decrypts nothing, and the error names the variables", () => {
  expect(() => decrypt(other, encrypt(one, plain, context), context)).toThrow(
    "Encrypted with a secret that is neither SERVICE_SECRET nor SERVICE_SECRET_PREVIOUS",
  );
});

test("the previous secret still decrypts, and is reported as outdated", () => {
  const old = encrypt(one, plain, context);
  expect(decrypt(rotated, old, context)).toEqual({ plain, outdated: true });
  const renewed = encrypt(rotated, plain, context);
  expect(decrypt(rotated, renewed, context)).toEqual({ plain, outdated: false });
  expect(decrypt(other, renewed, context)).toEqual({ plain, outdated: false });
  expect(() => decrypt(one, renewed, context)).toThrow();
});

test("keys of two purposes have nothing in common, nor with the secret", () => {
  const [encryption, codes] = [currentKey(one, "seal"), currentKey(one, "codes")];
  expect(encryption.bytes).toHaveLength(32);
  expect(encryption.id).toHaveLength(4);
  expect(encryption.bytes.equals(codes.bytes)).toBe(false);
  expect(encryption.id.equals(codes.id)).toBe(false);
  expect(encryption.bytes.equals(one.secret)).toBe(false);
  expect(currentKey(one, "seal")).toEqual(encryption);
});

test("a code has six digits, leading zeros included, and is random", () => {
  const codes = Array.from({ length: 2000 }, newCode);
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  // Of 2 000 about 200 begin with each digit, and two or so are alike.
  expect(new Set(codes.map(([first]) => first)).size).toBe(10);
  expect(new Set(codes).size).toBeGreaterThan(1950);
});

test("a code's digest is bound to code, context and secret", () => {
  const digest = codeDigest(one, "123456", "verification:ada@example.com");
  expect(digest).toHaveLength(32);
  expect(codeDigest(one, "123456", "verification:ada@example.com")).toEqual(digest);
  for (const different of [
    codeDigest(one, "123457", "verification:ada@example.com"),
    codeDigest(one, "123456", "sign-in-code:ada@example.com"),
    codeDigest(one, "123456", "verification:bob@example.com"),
    codeDigest(other, "123456", "verification:ada@example.com"),
  ]) {
    expect(different.equals(digest)).toBe(false);
  }
});

test("a code is right if it was stored with the present secret or the previous one", () => {
  const stored = codeDigest(one, "123456", "reset:ada@example.com");
  const digests = codeDigests(rotated, "123456", "reset:ada@example.com");
  expect(digests).toEqual([codeDigest(other, "123456", "reset:ada@example.com"), stored]);
  expect(codeDigests(one, "123456", "reset:ada@example.com")).toEqual([stored]);
});
