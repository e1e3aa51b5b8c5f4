import fc from "fast-check";
import { expect, test } from "vitest";
import { codeDigest, codeDigests, newCode } from "../../../runtime/auth/token/code.js";
import { currentKey, decrypt, encrypt, type Secrets } from "../../../runtime/secret/index.js";

const one: Secrets = { secret: Buffer.from("1".repeat(32)), previousSecret: null };
const other: Secrets = { secret: Buffer.from("2".repeat(32)), previousSecret: null };
/** After the secret was changed from the one to the other. */
const rotated: Secrets = { secret: other.secret, previousSecret: one.secret };

const place = "authenticator:01890000-0000-7000-8000-000000000000";
const plain = Buffer.from("twenty bytes of text");

test("what is sealed opens in its place", () => {
  const bytes = fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes, fc.string(), (text, somewhere) => {
      const sealed = encrypt(one, text, somewhere);
      expect(decrypt(one, sealed, somewhere)).toEqual({ plain: text, outdated: false });
    }),
  );
});

test("the same text is never sealed to the same bytes, and cannot be read in them", () => {
  const first = encrypt(one, plain, place);
  expect(first.equals(encrypt(one, plain, place))).toBe(false);
  expect(first.includes(plain.subarray(0, 4))).toBe(false);
});

test("in another place nothing opens", () => {
  const sealed = encrypt(one, plain, place);
  for (const somewhere of ["", place.slice(1), `${place} `, place.toUpperCase()]) {
    expect(() => decrypt(one, sealed, somewhere)).toThrow();
  }
});

test("every bit counts, and so does the length", () => {
  const sealed = encrypt(rotated, plain, place);
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => decrypt(rotated, changed, place), `bit ${bit}`).toThrow();
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => decrypt(rotated, sealed.subarray(0, length), place), `${length} bytes`).toThrow();
  }
  expect(() => decrypt(rotated, Buffer.concat([sealed, Buffer.alloc(1)]), place)).toThrow();
});

test("another secret opens nothing, and says which variables are asked for", () => {
  expect(() => decrypt(other, encrypt(one, plain, place), place)).toThrow(
    "Encrypted with a secret that is neither SERVICE_SECRET nor SERVICE_SECRET_PREVIOUS",
  );
});

test("the secret before the present one still opens, and tells that it is outdated", () => {
  const old = encrypt(one, plain, place);
  expect(decrypt(rotated, old, place)).toEqual({ plain, outdated: true });
  const renewed = encrypt(rotated, plain, place);
  expect(decrypt(rotated, renewed, place)).toEqual({ plain, outdated: false });
  expect(decrypt(other, renewed, place)).toEqual({ plain, outdated: false });
  expect(() => decrypt(one, renewed, place)).toThrow();
});

test("keys of two purposes have nothing in common, nor with the secret", () => {
  const [sealing, codes] = [currentKey(one, "seal"), currentKey(one, "codes")];
  expect(sealing.bytes).toHaveLength(32);
  expect(sealing.id).toHaveLength(4);
  expect(sealing.bytes.equals(codes.bytes)).toBe(false);
  expect(sealing.id.equals(codes.id)).toBe(false);
  expect(sealing.bytes.equals(one.secret)).toBe(false);
  expect(currentKey(one, "seal")).toEqual(sealing);
});

test("a code has six digits, the leading ones included, and is drawn anew", () => {
  const codes = Array.from({ length: 2000 }, newCode);
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  // Of 2 000 about 200 begin with each digit, and two or so are alike.
  expect(new Set(codes.map(([first]) => first)).size).toBe(10);
  expect(new Set(codes).size).toBeGreaterThan(1950);
});

test("a code's digest is bound to code, place and secret", () => {
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

test("a code is right if it was stored with the present secret or the one before it", () => {
  const stored = codeDigest(one, "123456", "reset:ada@example.com");
  const digests = codeDigests(rotated, "123456", "reset:ada@example.com");
  expect(digests).toEqual([codeDigest(other, "123456", "reset:ada@example.com"), stored]);
  expect(codeDigests(one, "123456", "reset:ada@example.com")).toEqual([stored]);
});
