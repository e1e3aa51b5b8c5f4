import { expect, test } from "vitest";
import type { EnrolledFactor } from "../../../../runtime/auth/account/store.js";
import {
  type Assurance,
  assess,
  type FirstProof,
  type SecondProof,
} from "../../../../runtime/auth/session/assurance.js";

const signedIn = "signed in";
const all = { authenticator: true, email: true };
const noApp = { authenticator: false, email: true };
const noEmail = { authenticator: true, email: false };
const none = { authenticator: false, email: false };

const app: readonly EnrolledFactor[] = ["authenticator"];
const email: readonly EnrolledFactor[] = ["email"];
const both: readonly EnrolledFactor[] = ["authenticator", "email"];

/** What is on, what is enrolled, and what is required after a password and after an email. */
const matrix: readonly (readonly [typeof all, readonly EnrolledFactor[], string, string])[] = [
  [all, [], signedIn, signedIn],
  [all, app, "totp email backup", "totp backup"],
  [all, email, "email backup", signedIn],
  [all, both, "totp email backup", "totp backup"],
  [noApp, [], signedIn, signedIn],
  [noApp, app, "email backup", signedIn],
  [noApp, email, "email backup", signedIn],
  [noApp, both, "email backup", signedIn],
  [noEmail, [], signedIn, signedIn],
  [noEmail, app, "totp backup", "totp backup"],
  [noEmail, email, signedIn, signedIn],
  [noEmail, both, "totp backup", "totp backup"],
  [none, [], signedIn, signedIn],
  [none, app, signedIn, signedIn],
  [none, email, signedIn, signedIn],
  [none, both, signedIn, signedIn],
];

type Case = [FirstProof, readonly EnrolledFactor[], typeof all, string];

const cases = matrix.flatMap(([settings, enrolled, byPassword, byMail]): Case[] => [
  ["password", enrolled, settings, byPassword],
  ["magic-link", enrolled, settings, byMail],
  ["email-code", enrolled, settings, byMail],
  ["provider", enrolled, settings, byPassword],
  ["vouched-address", enrolled, settings, byMail],
  ["trusted-provider", enrolled, settings, signedIn],
  ["passkey", enrolled, settings, signedIn],
]);

test.each(cases)("%s with %j enrolled and %j on: %s", (first, enrolled, settings, expected) => {
  expect(outcomeOf(assess({ proofs: [first], enrolled, settings }))).toBe(expected);
});

type Completion = [FirstProof, SecondProof, readonly EnrolledFactor[], typeof all, string];

const seconds: readonly SecondProof[] = ["totp", "email", "backup"];
const completions = cases.flatMap(([first, enrolled, settings, asked]) =>
  seconds.map((second): Completion => {
    const expected = asked.includes(second) ? signedIn : asked;
    return [first, second, enrolled, settings, expected];
  }),
);

test.each(completions)(
  "%s completed by %s with %j enrolled and %j on: %s",
  (first, second, enrolled, settings, expected) => {
    expect(outcomeOf(assess({ proofs: [first, second], enrolled, settings }))).toBe(expected);
  },
);

function outcomeOf(assurance: Assurance): string {
  return assurance.kind === "signed-in" ? signedIn : assurance.methods.join(" ");
}
