import { createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newHmac } from "../../../runtime/uploads/sign/hmac.js";

const hex = (text: string) => Buffer.from(text, "base64url").toString("hex");

// RFC 4231 §4, those whose data is text.
test.each([
  [
    "2",
    Buffer.from("Jefe"),
    "what do ya want for nothing?",
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  [
    "1",
    Buffer.alloc(20, 0x0b),
    "Hi There",
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  ],
  [
    "6",
    Buffer.alloc(131, 0xaa),
    "Test Using Larger Than Block-Size Key - Hash Key First",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  ],
  [
    "7",
    Buffer.alloc(131, 0xaa),
    "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.",
    "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
  ],
])("test case %s of RFC 4231", (_, key, text, expected) => {
  expect(hex(newHmac(key)(text))).toBe(expected);
});

test("any text with any key equals Node's result", () => {
  for (const keyLength of [0, 1, 31, 32, 63, 64, 65, 200]) {
    const key = randomBytes(keyLength);
    const hmac = newHmac(key);
    for (const textLength of [0, 1, 54, 55, 56, 63, 64, 65, 119, 500]) {
      const text = `é${randomBytes(textLength).toString("latin1")}`;
      expect(hmac(text)).toBe(createHmac("sha256", key).update(text).digest("base64url"));
    }
  }
});
