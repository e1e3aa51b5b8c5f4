import { expect, test } from "vitest";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import { isEmail, isUrl } from "../../../runtime/values/addresses/email-and-url.js";
import { processorMs } from "../../support/processes/processor-time.js";

const emails = {
  sound: [
    "first.last+tag@sub.domain.example",
    "stanisław.wójcik@wp.pl",
    "Stanisław.Wójcik@WP.pl",
    "frantisekw@jetbrains.com",
    "用户@例子.广告",
    "अजय@डाटा.भारत",
    "o'brien&sons@example.com",
    "a@xn--e1aybc.xn--p1ai",
    `${"é".repeat(32)}@example.com`,
  ],
  malformed: [
    "",
    "nobody",
    "@example.com",
    "a@",
    "a@b",
    "a@@example.com",
    ".a@example.com",
    "a.@example.com",
    "a..b@example.com",
    "ł..b@example.com",
    "a b@example.com",
    "a\u00a0b@example.com",
    "a\u200bb@example.com",
    "a\nb@example.com",
    '"a b"@example.com',
    "a@example.com/x",
    "a@example.com:25",
    "a@-example.com",
    "a@127.0.0.1",
    "a@[127.0.0.1]",
    "a@exa_mple.com",
    `${"a".repeat(65)}@example.com`,
    `${"é".repeat(33)}@example.com`,
    `a@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}.example.com`,
  ],
};

const urls = {
  sound: [
    "https://example.com",
    "HTTP://example.com/a?b#c",
    "http://[::1]:8080/",
    "https://例子.广告/",
  ],
  malformed: [
    "",
    "example.com",
    "http:example.com",
    "http:/example.com",
    "http:///example.com",
    "https://",
    "https://exa mple.com",
    "https://example.com/\n",
    " https://example.com",
    "ftp://example.com",
    "javascript:alert(1)",
    "https://example.com:99999",
  ],
};

test("email addresses, international ones too", () => {
  expect(emails.sound.filter((text) => !isEmail(text))).toEqual([]);
  expect(emails.malformed.filter(isEmail)).toEqual([]);
});

test("http and https addresses", () => {
  expect(urls.sound.filter((text) => !isUrl(text))).toEqual([]);
  expect(urls.malformed.filter(isUrl)).toEqual([]);
});

test("a long text that is not an address is refused quickly", async () => {
  const spent = await processorMs(() => {
    isEmail(`${"a.".repeat(5000)}@`);
    isEmail("ł".repeat(10_000));
    isUrl(`https://${"a".repeat(10_000)} `);
  });
  expect(spent).toBeLessThan(200);
});

test.each([
  ["url", "http:example.com"],
  ["url", "https://exa mple.com"],
  ["email", "a..b@example.com"],
])("a default that the server would refuse is a mistake: %s %s", (format, value) => {
  const text = `fields: { a: { type: string, format: ${format}, default: "${value}" } }`;
  const { problems } = readDescriptors([{ path: "resources/things.yaml", text }]);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^"default" is not an (http or https|email) address$/),
  ]);
});
