import { expect, test } from "vitest";
import { ApiError, refusedOf, sentence } from "../../../runtime/dashboard/web/api/client/errors.js";
import { en } from "../../../runtime/dashboard/web/text/en/en.js";
import { refusals } from "../../../runtime/errors/index.js";

/** Their messages tell how long a password must be; they are shown at its field unchanged. */
const inTheApisWords = ["PASSWORD_TOO_SHORT", "PASSWORD_TOO_LONG"];

const coded = Object.entries(refusals).filter(([, { coded }]) => coded);

function answered(code: string, status: number, headers: Record<string, string> = {}): ApiError {
  const issues = [{ path: "password", message: "Must have at least 8 characters" }];
  const body = { error: "No", code, ...(status === 422 ? { issues } : {}) };
  return new ApiError(new Response(null, { status, headers }), body);
}

test.for(coded.map(([code, { status }]) => ({ code, status })))(
  "$code has a sentence that says what to do",
  ({ code, status }) => {
    const refused = refusedOf(answered(code, status, { "retry-after": "42" }), ["password"]);
    if (status === 429) {
      expect(refused.until).toBeGreaterThan(Date.now() + 41_000);
      expect(refused.general).toBeNull();
      return;
    }
    if (inTheApisWords.includes(code)) {
      expect(refused.fields).toEqual({ password: "Must have at least 8 characters" });
      return;
    }
    const said = en.codes[code];
    expect(said).toMatch(/^[A-Z].*\.$/);
    expect(sentence(answered(code, status))).toBe(said);
    expect([refused.fields.password, refused.general]).toContain(said);
  },
);

test("a code that its form places is shown at that field", () => {
  const error = answered("INVALID_OTP", 401);
  expect(refusedOf(error, ["code"], { INVALID_OTP: "code" }).fields).toEqual({
    code: en.codes.INVALID_OTP,
  });
});
