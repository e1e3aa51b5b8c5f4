import { expect, test } from "vitest";
import { accountParts } from "../../../runtime/dashboard/web/api/account/account-parts.js";
import type { AuthConfig } from "../../../runtime/dashboard/web/api/account/auth-config.js";

const config: AuthConfig = {
  registration: false,
  password: true,
  magicLink: false,
  emailCode: false,
  passkeys: true,
  twoFactor: { authenticator: true, email: true },
  requireEmailVerification: false,
  passwordMinLength: 8,
};

const all = ["profile", "password", "second-step", "passkeys", "devices", "tokens"];
const without = (part: string) => all.filter((one) => one !== part);

test("offers the pages that the server has enabled, and all until that is known", () => {
  expect(accountParts(undefined)).toEqual(all);
  expect(accountParts(config)).toEqual(all);
  expect(accountParts({ ...config, passkeys: false })).toEqual(without("passkeys"));
  const off = { ...config, twoFactor: { authenticator: false, email: false } };
  expect(accountParts(off)).toEqual(without("second-step"));
  const onlyMail = { ...config, twoFactor: { authenticator: false, email: true } };
  expect(accountParts(onlyMail)).toEqual(all);
});
