import { expect, test } from "vitest";
import { newProvisioning } from "../../../../../runtime/auth/second-step/authenticator/provisioning.js";
import {
  matchTimeStep,
  newSecret,
} from "../../../../../runtime/auth/second-step/authenticator/rules.js";
import { hotp } from "../../support/second-step.js";

/** `12345678901234567890`, the secret of RFC 6238, in base32. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

function stepAt(seconds: number, code: string): number | null {
  return matchTimeStep(secret, code, new Date(seconds * 1000));
}

// Appendix B of RFC 6238, the rows of SHA-1; six digits are the last of its eight.
test.each([
  [59, "94287082", 0x1],
  [1111111109, "07081804", 0x23523ec],
  [1111111111, "14050471", 0x23523ed],
  [1234567890, "89005924", 0x273ef07],
  [2000000000, "69279037", 0x3f940aa],
  [20000000000, "65353130", 0x27bc86aa],
])("at %i seconds the code is %s (RFC 6238)", (seconds, digits, step) => {
  const code = digits.slice(2);
  expect(stepAt(seconds, code)).toBe(step);
  expect(hotp(Buffer.from("12345678901234567890"), step)).toBe(code);
});

test("a code is valid in its own thirty seconds, and in those before and after", () => {
  const [step, code] = [0x23523ec, "081804"];
  const start = step * 30;
  const accepted = [-30, -0.001, 0, 29.999, 30, 59.999];
  expect(accepted.map((after) => stepAt(start + after, code))).toEqual(accepted.map(() => step));
  const refused = [-3600, -30.001, 60, 90, 3600];
  expect(refused.map((after) => stepAt(start + after, code))).toEqual(refused.map(() => null));
});

test.each(["", "28708", "2870820", "287083", "28708x", "２８７０８２", "-87082", "94287082"])(
  "%j is not a code of it",
  (code) => {
    expect(stepAt(59, code)).toBeNull();
  },
);

test("the newer of two time steps with the same code counts", () => {
  const older = 65_343_997;
  expect(stepAt(older * 30, "896878")).toBe(older + 1);
  expect(stepAt((older + 1) * 30, "896878")).toBe(older + 1);
  expect(stepAt((older + 2) * 30, "896878")).toBe(older + 1);
  expect(stepAt((older - 1) * 30, "896878")).toBe(older);
});

test("a secret has 160 bits, in base32 without padding, and is never the same", () => {
  const secrets = Array.from({ length: 50 }, newSecret);
  for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/);
  expect(new Set(secrets).size).toBe(50);
});

test.each(["Shop", "Ärger & Söhne: 100 %", "a/b?c=d#e+f", "店"])(
  "the address for the app names %j and the account, whatever the name contains",
  async (appName) => {
    const invitation = await newProvisioning(appName, "ada+tag@example.com");
    const uri = new URL(invitation.uri);
    expect(uri.protocol + uri.host).toBe("otpauth:totp");
    const [issuer = "", account = "", ...more] = uri.pathname.slice(1).split(":");
    expect([issuer, account].map(decodeURIComponent)).toEqual([appName, "ada+tag@example.com"]);
    expect(more).toEqual([]);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: invitation.secret,
      issuer: appName,
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
  },
);
