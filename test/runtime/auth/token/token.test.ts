import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { bearerToken, newToken } from "../../../../runtime/auth/token/token.js";

test("a token is 32 random bytes in base64url, its hash SHA-256", () => {
  const { token, hash } = newToken();
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(hash).toEqual(createHash("sha256").update(token).digest());
  expect(newToken().token).not.toBe(token);
});

const token = `${"a".repeat(42)}_`;

test.each([`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`])(
  "%j contains a token",
  (header) => {
    expect(bearerToken(header)).toBe(token);
  },
);

test.each([
  undefined,
  "",
  token,
  "Bearer",
  "Bearer ",
  `Basic ${token}`,
  `Bearer${token}`,
  `Bearer ${token} ${token}`,
  `Bearer ${token}a`,
  `Bearer ${token.slice(1)}`,
  `Bearer ${token.slice(1)}=`,
  `Bearer ${token}, Bearer ${token}`,
])("%j contains none", (header) => {
  expect(bearerToken(header)).toBeNull();
});
