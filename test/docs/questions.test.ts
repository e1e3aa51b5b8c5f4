import { expect, test } from "vitest";
import { headingsOf, page, pages, targetsOf } from "./pages.js";

/**
 * What new users want to know, in their words, and what the answer says. The list of pages, one click from the README,
 * leads to each.
 */
const answers: Readonly<Record<string, RegExp>> = {
  "How do I make a field private?": /access: \{ read: \[clerk, admin\], write: \[clerk\] \}/,
  "How do people see only what is theirs?": /owner: spenderId/,
  "How do I add a field to a table that has rows?": /add a field \| adds the column/,
  "How do I run code when a record is created?": /beforeCreate/,
  "How do I link many records to many others?":
    /tagIds: \{ type: links, resource: tags, inverse: articles/,
  "How do I let people sign in with Google?": /providers:\s+google: \{ client_id/,
  "How do I upload a picture?": /curl -s -T tea\.jpg/,
  "How do I bring in the data that I have?": /npx service import products teas\.csv/,
  "How do I send an email?": /await mail\.send\(/,
  "How do I run something every night?": /cron: "0 3 \* \* \*"/,
  "How do I test my hooks?": /startTestApp/,
  "How do I call the API from a web page?": /client: \.\.\/web\/src\/api/,
  "How do I deploy the app?": /--deploy <place>/,
  "How do I back up the data?": /SERVICE_SECRET/,
  "How do I upgrade `service`?": /npx service generate/,
  "What keeps strangers out?": /guesses passwords \| ten attempts a minute/,
  "Why is a request slow?": /doctor --slow/,
};

const list = page("docs/README");
const section = headingsOf(list).find(({ anchor }) => anchor === "first-questions")?.text ?? "";
const rows = [...section.matchAll(/^\| (.+\?) \| \[[^\]]+\]\(([^)]+)\) \|$/gm)].map(
  ([, question = "", target = ""]) => ({ question, target }),
);

test("the list of pages, one click from the README, answers questions of new users", () => {
  expect(targetsOf(page("README"))).toContain("docs/README.md");
  expect(rows.map(({ question }) => question)).toEqual(Object.keys(answers));
});

test.each(rows)("$question", ({ question, target }) => {
  const [file = "", anchor = ""] = target.split("#");
  const answer = pages.find(({ path }) => path === `docs/${file}`);
  const found = answer && headingsOf(answer).find((heading) => heading.anchor === anchor);
  expect(found?.text, target).toMatch(answers[question] ?? /$^/);
});
