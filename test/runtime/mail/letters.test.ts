import { expect, test } from "vitest";
import { isNotice, type Message } from "../../../runtime/mail/index.js";
import { composeMail } from "../../../runtime/mail/letter/compose.js";
import { link, messages } from "./support/messages.js";

/** The subject, then the text. */
const letters: readonly (readonly [Message, string])[] = [
  [
    messages.signInLink,
    `Sign in to Shop

Hello Ada,

Use this link to sign in to Shop.

${link}

The link works once, within 10 minutes.

If you did not request it, ignore this email and do not share the link.
`,
  ],
  [
    messages.signInCode,
    `Your sign-in code for Shop

Hello Ada,

Use this code to sign in to Shop.

482910

The code works once, within 10 minutes.

If you did not request it, ignore this email and do not share the code.
`,
  ],
  [
    messages.secondStepCode,
    `Your second step at Shop

Hello Ada,

Use this code to finish signing in to Shop.

482910

The code works once, within 10 minutes.

If you are not signing in, ignore this email and do not share the code. Other people may know your password: change it.
`,
  ],
  [
    messages.setUpCode,
    `Enable emailed codes at Shop

Hello Ada,

Use this code to make emailed codes the second step of signing in to Shop.

482910

The code works once, within 10 minutes.

If you did not request it, ignore this email and do not share the code. Another person may be signed in as you: change your password.
`,
  ],
  [
    messages.verification,
    `Confirm your address at Shop

Hello Ada,

Use this code or the link below to confirm your address at Shop.

482910

${link}

Either works once, within 24 hours.

If you did not request it, ignore this email: the address stays unconfirmed.
`,
  ],
  [
    messages.verificationCode,
    `Confirm your address at Shop

Hello Ada,

Use this code to confirm your address at Shop.

482910

The code works once, within 10 minutes.

If you did not request it, ignore this email: the address stays unconfirmed.
`,
  ],
  [
    messages.resetLink,
    `Reset your password at Shop

Hello Ada,

Use this link to choose a new password at Shop.

${link}

The link works once, within 1 hour.

If you did not request it, ignore this email: your password has not changed.
`,
  ],
  [
    messages.invitation,
    `You are invited to Shop

Hello Ada,

An account at Shop was created for you. Use this link to choose its password.

${link}

The link works once, within 7 days.

If you did not expect this, ignore this email and do not share the link.
`,
  ],
  [
    messages.emailChange,
    `Confirm your new address at Shop

Hello,

Use this code or the link below to make this the email address of your account at Shop.

482910

${link}

Either works once, within 1 hour.

If you did not request it, ignore this email and do not share the code: otherwise another account gets your address.
`,
  ],
  [
    messages.emailChangeCode,
    `Confirm your new address at Shop

Hello,

Use this code to make this the email address of your account at Shop.

482910

The code works once, within 1 hour.

If you did not request it, ignore this email and do not share the code: otherwise another account gets your address.
`,
  ],
  [
    messages.emailWanted,
    `You have an account at Shop

Hello Ada,

An attempt was made to use this address for another account at Shop, but it already has one.

If it was you, sign in with this address, or choose another one for the other account.

If it was not you, ignore this email: nothing has changed.
`,
  ],
  [
    messages.emailChangeRequested,
    `Another address was requested at Shop

Hello Ada,

Another email address was requested for your account at Shop, on 2030-01-31 at 09:05 UTC.

It is changed once the new address is confirmed through the email that was sent there.

If it was you, there is nothing to do.

If it was not you, another person may have access: choose another password on the sign-in page, and sign out all other devices.
`,
  ],
  [
    messages.emailChanged,
    `Your address at Shop was changed

Hello Ada,

The email address of your account at Shop was changed by an operator, on 2030-01-31 at 09:05 UTC.

Mails about the account go to the new address from now on.

If you did not ask for it, contact the operators of Shop.
`,
  ],
  [
    messages.accountExists,
    `You have an account at Shop

Hello Ada,

An attempt was made to register this address at Shop, which already has an account.

If it was you, sign in as before. If you have forgotten your password, request a link to reset it.

If it was not you, ignore this email: nothing has changed.
`,
  ],
  [
    messages.webhookGone,
    `A webhook at Shop was disabled

Hello Ada,

The webhook of Shop to erp.example was disabled.

Its receiver responded with 410: it no longer exists.

Its deliveries show why. Waiting deliveries are sent once an operator enables it again.
`,
  ],
  [
    messages.webhookFailing,
    `A webhook at Shop was disabled

Hello Ada,

The webhook of Shop to erp.example was disabled.

It has not accepted a delivery for five days.

Its deliveries show why. Waiting deliveries are sent once an operator enables it again.
`,
  ],
  [
    messages.passwordChanged,
    `Your password at Shop was changed

Hello Ada,

The password of your account at Shop was changed, on 2030-01-31 at 09:05 UTC.

Every other device was signed out.

If it was you, there is nothing to do.

If it was not you, another person may have access: choose another password on the sign-in page, and sign out all other devices.
`,
  ],
  [
    messages.secondStepOff,
    `The second step at Shop was disabled

Hello Ada,

The second step of signing in to Shop was disabled for your account, on 2030-01-31 at 09:05 UTC.

If it was you, there is nothing to do.

If it was not you, another person may have access: choose another password on the sign-in page, and sign out all other devices.
`,
  ],
];

test.each(letters)("$kind says what it is for", (message, expected) => {
  const { subject, text } = composeMail(message, "Shop");
  expect(`${subject}\n\n${text}`).toBe(expected);
});

test.each(letters)("$kind says the same in HTML, and fetches nothing", (message) => {
  const { subject, text, html } = composeMail(message, "Shop");
  expect(htmlWords(html)).toEqual(
    [
      "Shop",
      ...text.trim().split("\n\n"),
      ...("link" in message && message.link !== null ? linkWords[message.kind] : []),
    ].toSorted(),
  );
  expect(html).toContain(`<title>${subject}</title>`);
  const addresses = html.match(/\b(?:https?:)?\/\/[^"<]+/g) ?? [];
  const own = link.replace("&", "&amp;");
  expect(addresses.filter((address) => address !== own)).toEqual([]);
  expect(html).not.toMatch(/\b(?:src|background|srcset)=|url\(|@import|<link|<img|<script/i);
});

const linkWords = {
  "sign-in-link": ["Sign in", "Or open this address:"],
  verification: ["Confirm the address", "Or open this address:"],
  "reset-link": ["Choose a password", "Or open this address:"],
  invitation: ["Choose a password", "Or open this address:"],
  "email-change": ["Change the address", "Or open this address:"],
};

/** The texts between the tags of the body. */
function htmlWords(html: string): string[] {
  return html
    .slice(html.indexOf("<body"))
    .split(/<[^>]*>/)
    .map((words) => words.trim().replaceAll("&amp;", "&"))
    .filter((words) => words !== "")
    .toSorted();
}

test("every notice has its own text, and neither a code nor a link", () => {
  const notices = Object.values(messages).filter(isNotice);
  const composed = notices.map((message) => composeMail(message, "Shop"));
  expect(notices).toHaveLength(13);
  expect(new Set(composed.map(({ subject }) => subject)).size).toBe(13);
  for (const { text, html } of composed) {
    expect(text).toContain("on 2030-01-31 at 09:05 UTC.");
    expect(`${text}${html}`).not.toMatch(/https?:|<a |\b\d{6}\b/);
  }
});

test("the button and the address below it have the link", () => {
  const { html } = composeMail(messages.resetLink, "Shop");
  const targets = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, target]) => target);
  expect(targets).toEqual([link, link].map((address) => address.replace("&", "&amp;")));
});

test.each([
  [null, "Hello,"],
  ["", "Hello,"],
  ["Ada Lovelace", "Hello Ada Lovelace,"],
  ["J. R. O'Neill", "Hello J. R. O'Neill,"],
  ["Ana\r\nBcc: eve@example.com", "Hello,"],
  ["Ana\u2028\tLópez\0", "Hello Ana López,"],
  ["\u202eadA\u2066 \u{1f469}\u200d\u{1f4bb}", "Hello adA \u{1f469}\u200d\u{1f4bb},"],
  ["\ud800Ada", "Hello \ufffdAda,"],
  ["x".repeat(200), `Hello ${"x".repeat(60)},`],
  ["You won! www evil example", "Hello,"],
  ["Prize at evil.example", "Hello,"],
  ["Prize at evil\u3002example", "Hello,"],
  ["https://evil", "Hello,"],
  ["eve@evil", "Hello,"],
])("greets %j by the parts that are safe in a mail", (name, greeting) => {
  const { text } = composeMail({ ...messages.accountExists, name }, "Shop");
  expect(text.split("\n")[0]).toBe(greeting);
});

test("the only six digits in a mail with a code are the code", () => {
  const { text, html } = composeMail(messages.signInCode, "Shop");
  const isSix = /(?<![\dA-Za-z])\d{6}(?![\dA-Za-z])/g;
  expect([...text.matchAll(isSix), ...html.matchAll(isSix)].map(String)).toEqual([
    "482910",
    "482910",
  ]);
});
