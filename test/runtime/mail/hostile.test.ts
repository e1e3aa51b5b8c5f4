import fc from "fast-check";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ComposedMail, composeMail } from "../../../runtime/mail/letter/compose.js";
import { openTransport, type Transport } from "../../../runtime/mail/send/smtp.js";
import {
  type MailServer,
  type ReceivedMail,
  startMailServer,
} from "../../support/accounts/smtp.js";
import { tries } from "../../support/searches.js";
import { link, messages } from "./support/messages.js";

let server: MailServer;
let transport: Transport;
beforeAll(async () => {
  server = await startMailServer();
  transport = openTransport({ from: "Shop <shop@example.com>", url: server.url });
});
afterAll(async () => {
  transport.close();
  await server.close();
});

const wireTexts = [
  "a\r\nBcc: eve@example.com\r\n\r\n<html>",
  "a\nSubject: b",
  "a\rX: b",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='x",
  '"Eve" <eve@example.com>, b',
  "=?utf-8?Q?=0D=0ABcc:_eve@example.com?=",
  "\u202egnp.exe",
  "\u{1f600}\u{1f469}\u200d\u{1f4bb}",
  "\ud800",
  "\0",
  "&lt;b&gt;",
  ".\r\n.\r\n",
  "--=_boundary",
];

const anyText = fc.oneof(
  fc.constantFrom(...wireTexts),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc
    .array(fc.constantFrom("\r", "\n", "<", ">", '"', "'", "&", ":", "a", "=", "?", " "))
    .map((all) => all.join("")),
);

/** How an email to Ada looks on the wire that was sent with these names. */
async function outline(name: string, app: string) {
  const mail = await send(composeMail({ ...messages.verification, name }, app));
  const parsed = await PostalMime.parse(mail.raw);
  return {
    envelope: [mail.from, mail.to],
    headers: parsed.headers.map(({ key }) => key),
    from: parsed.from?.address,
    to: parsed.to?.map(({ name: shown, address }) => [shown, address]),
    tags: parsed.html?.match(/<[^>]*>/g)?.map((tag) => tag.replace(/(<title).*/, "$1")),
    text: parsed.text?.includes(`\n482910\n\n${link}\n`),
  };
}

test("no account's name and no app's name adds a header or a tag", async () => {
  const plain = await outline("Ada", "Shop");
  expect(plain.text).toBe(true);
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (name, app) => {
      expect(await outline(name, app)).toEqual(plain);
    }),
    { numRuns: wireTexts.length + tries(150), examples: wireTexts.map((text) => [text, text]) },
  );
});

test.each([
  ["Shop <shop@example.com>", "Shop"],
  ["Shop, Inc. <shop@example.com>", "Shop, Inc."],
  ['"Ada\'s \\"Shop\\"" <shop@example.com>', 'Ada\'s "Shop"'],
  ["Großer Laden <shop@example.com>", "Großer Laden"],
  ["a@b.example, c <shop@example.com>", "a@b.example, c"],
  ["shop@example.com", ""],
])("mail from %s has one sender with that name", async (from, name) => {
  const other = openTransport({ from, url: server.url });
  const mail = await send(composeMail(messages.signInCode, "Shop"), other);
  other.close();
  expect(mail.from).toBe("shop@example.com");
  expect((await PostalMime.parse(mail.raw)).from).toEqual({ name, address: "shop@example.com" });
});

async function send(letter: ComposedMail, by: Transport = transport): Promise<ReceivedMail> {
  const { length } = server.mails;
  await by.deliver(by.address("ada@example.com", letter, "one-id"));
  const mail = (await server.has(length + 1))[length];
  if (mail === undefined) throw new Error("No mail came");
  return mail;
}
