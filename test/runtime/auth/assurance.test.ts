import { expect, test } from "vitest";
import type { EnrolledFactor } from "../../../runtime/auth/account/store.js";
import {
  type Assurance,
  assure,
  type FirstProof,
  type SecondProof,
} from "../../../runtime/auth/session/assurance.js";

const signedIn = "signed in";
const all = { authenticator: true, email: true };
const noApp = { authenticator: false, email: true };
const noEmail = { authenticator: true, email: false };
const none = { authenticator: false, email: false };

const app: readonly EnrolledFactor[] = ["authenticator"];
const email: readonly EnrolledFactor[] = ["email"];
const both: readonly EnrolledFactor[] = ["authenticator", "email"];

type Row = [FirstProof, readonly EnrolledFactor[], typeof all, string];

const matrix: readonly Row[] = [
  ["password", [], all, signedIn],
  ["password", app, all, "totp email backup"],
  ["password", email, all, "email backup"],
  ["password", both, all, "totp email backup"],
  ["password", app, noApp, "email backup"],
  ["password", email, noApp, "email backup"],
  ["password", app, noEmail, "totp backup"],
  ["password", email, noEmail, signedIn],
  ["password", both, noEmail, "totp backup"],
  ["password", both, none, signedIn],
  ...(["magic-link", "email-code"] as const).flatMap((proof): Row[] => [
    [proof, [], all, signedIn],
    [proof, app, all, "totp backup"],
    [proof, email, all, signedIn],
    [proof, both, all, "totp backup"],
    [proof, app, noApp, signedIn],
    [proof, app, noEmail, "totp backup"],
    [proof, both, none, signedIn],
  ]),
  ["passkey", [], all, signedIn],
  ["passkey", app, all, signedIn],
  ["passkey", email, all, signedIn],
  ["passkey", both, none, signedIn],
];

test.each(matrix)("%s with %j enrolled and %j on: %s", (proof, enrolled, settings, expected) => {
  expect(told(assure({ proofs: [proof], enrolled, settings }))).toBe(expected);
});

test.each<[FirstProof, SecondProof, string]>([
  ["password", "totp", signedIn],
  ["password", "email", signedIn],
  ["password", "backup", signedIn],
  ["magic-link", "totp", signedIn],
  ["magic-link", "backup", signedIn],
  ["magic-link", "email", "totp backup"],
  ["email-code", "email", "totp backup"],
])("%s completed by %s with an authenticator: %s", (first, second, expected) => {
  expect(told(assure({ proofs: [first, second], enrolled: app, settings: all }))).toBe(expected);
});

function told(assurance: Assurance): string {
  return assurance.kind === "signed-in" ? signedIn : assurance.methods.join(" ");
}
