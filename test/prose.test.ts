import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitVerbs, longestSentence, longestSubject, rules } from "./prose/rules.js";
import { type Prose, pageProse, sourceProse, testTitles } from "./prose/texts.js";

const root = join(import.meta.dirname, "..");

/** Sources of which only comments are checked: their messages name the rule or the account `nobody`. */
const withoutMessages: readonly string[] = [
  "bin/embedded/account.ts",
  "generator/descriptor/access/rule.ts",
];

/** All pages but the history of releases, all sources and all test titles. */
const texts = [
  ...pageProse().filter(({ path }) => path !== "CHANGELOG.md"),
  ...sourceProse(["bin", "generator", "runtime", "templates"]).filter(
    ({ path, kind }) => kind !== "message" || !withoutMessages.includes(path),
  ),
  ...testTitles(),
];

const place = ({ path, line }: Prose) => `${path}:${line}`;

test.each(rules)("no text says $pattern: write $instead", ({ pattern }) => {
  const found = texts.filter(({ text }) => pattern.test(text));
  expect(found.map((one) => `${place(one)} ${pattern.exec(one.text)?.[0]}`)).toEqual([]);
});

/** Sentences, table cells and the parts between semicolons and colons. */
function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?:;])\s+|\s*\|\s*/);
}

test(`sentences of pages and doc comments have at most ${longestSentence} words`, () => {
  const found = texts
    .filter(({ kind }) => kind === "page" || kind === "doc comment")
    .flatMap((one) => sentencesOf(one.text).map((sentence) => ({ one, sentence })))
    .filter(
      ({ sentence }) =>
        sentence.split(/\s+/).filter((word) => /[a-z]/i.test(word) && !word.startsWith("`"))
          .length > longestSentence,
    );
  expect(found.map(({ one, sentence }) => `${place(one)} ${sentence}`)).toEqual([]);
});

/** A copy without history, such as a package's source, has no subjects to check. */
const hasHistory = existsSync(join(root, ".git"));

test.runIf(hasHistory)(
  "the subjects of recent commits describe what happened to the product",
  () => {
    const subjects = execFileSync("git", ["log", "--no-merges", "-n", "12", "--format=%s"], {
      cwd: root,
      encoding: "utf8",
    });
    const found = subjects
      .trim()
      .split("\n")
      .filter(
        (subject) =>
          subject.length > longestSubject ||
          !commitVerbs.some((verb) => subject.startsWith(`${verb} `)),
      );
    expect(found).toEqual([]);
  },
);
