import fc from "fast-check";
import { expect, test } from "vitest";
import { openToken, type Secrets, sealToken } from "../../../runtime/secret/index.js";

const one: Secrets = { secret: Buffer.from("1".repeat(32)), previousSecret: null };
const other: Secrets = { secret: Buffer.from("2".repeat(32)), previousSecret: null };
/** After the secret was changed from the one to the other. */
const rotated: Secrets = { secret: other.secret, previousSecret: one.secret };

test("a token becomes the text again in its context only", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, text, (plain, context, another) => {
      const token = sealToken(one, plain, context);
      expect(openToken(one, token, context)).toBe(plain);
      if (another !== context) expect(openToken(one, token, another)).toBeNull();
    }),
  );
});

test("the border between context and text cannot be moved", () => {
  expect(openToken(one, sealToken(one, "bc", "a"), "ab")).toBeNull();
});

test("no part of the text can be read, and equal texts have equal tokens", () => {
  const token = sealToken(one, "twenty bytes of text", "list");
  expect(Buffer.from(token, "base64url").toString("latin1")).not.toMatch(/twe|bytes|text/);
  expect(sealToken(one, "twenty bytes of text", "list")).toBe(token);
});

test("any changed bit, length or spelling is detected", () => {
  const token = sealToken(one, "five!", "list");
  const bytes = Buffer.from(token, "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(openToken(one, changed.toString("base64url"), "list")).toBeNull();
  }
  for (let length = 0; length < token.length; length += 1) {
    expect(openToken(one, token.slice(0, length), "list")).toBeNull();
  }
  for (const spelled of [`${token}=`, ` ${token}`, `${token}A`, bytes.toString("hex"), "", "ü"]) {
    expect(openToken(one, spelled, "list")).toBeNull();
  }
});

test("tokens of the previous secret are accepted, those of an unknown one are not", () => {
  const token = sealToken(one, "text", "list");
  expect(openToken(rotated, token, "list")).toBe("text");
  expect(sealToken(rotated, "text", "list")).toBe(sealToken(other, "text", "list"));
  expect(openToken(other, token, "list")).toBeNull();
});
