import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { page } from "./pages.js";

const root = resolve(import.meta.dirname, "../..");

/** How many requirements of level 1 and 2 each section of ASVS 5.0.0 begins with. Those of level 3 come behind. */
const sections: Readonly<Record<string, number>> = {
  "1.1": 2,
  "1.2": 9,
  "1.3": 11,
  "1.4": 3,
  "1.5": 2,
  "2.1": 3,
  "2.2": 3,
  "2.3": 4,
  "2.4": 1,
  "3.2": 2,
  "3.3": 4,
  "3.4": 6,
  "3.5": 5,
  "3.7": 2,
  "4.1": 3,
  "4.2": 1,
  "4.3": 2,
  "4.4": 4,
  "5.1": 1,
  "5.2": 3,
  "5.3": 2,
  "5.4": 3,
  "6.1": 3,
  "6.2": 12,
  "6.3": 4,
  "6.4": 4,
  "6.5": 5,
  "6.6": 3,
  "6.8": 4,
  "7.1": 3,
  "7.2": 4,
  "7.3": 2,
  "7.4": 5,
  "7.5": 2,
  "7.6": 2,
  "8.1": 2,
  "8.2": 3,
  "8.3": 1,
  "8.4": 1,
  "9.1": 3,
  "9.2": 4,
  "10.1": 2,
  "10.2": 2,
  "10.3": 4,
  "10.4": 11,
  "10.5": 5,
  "10.6": 2,
  "10.7": 3,
  "11.1": 2,
  "11.2": 3,
  "11.3": 3,
  "11.4": 4,
  "11.5": 1,
  "11.6": 1,
  "12.1": 3,
  "12.2": 2,
  "12.3": 4,
  "13.1": 1,
  "13.2": 5,
  "13.3": 2,
  "13.4": 5,
  "14.1": 2,
  "14.2": 4,
  "14.3": 3,
  "15.1": 3,
  "15.2": 3,
  "15.3": 7,
  "16.1": 1,
  "16.2": 5,
  "16.3": 4,
  "16.4": 3,
  "16.5": 3,
  "17.1": 1,
  "17.2": 4,
  "17.3": 2,
};

const rows = page("docs/asvs")
  .text.split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  );

function numbersOf([ids = ""]: readonly string[]): readonly string[] {
  return ids.split(", ");
}

test("every requirement of level 1 and 2 has one row", () => {
  const known = Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, at) => `${section}.${at + 1}`),
  );
  expect(known).toHaveLength(253);
  expect(rows.flatMap(numbersOf).toSorted()).toEqual(known.toSorted());
});

test("each row says how the requirement is met, and every test that it names exists under its title", () => {
  const kinds = ["tested: ", "described: ", "yours: ", "**not met**: ", "does not apply: "];
  const counts = kinds.map((kind) =>
    rows
      .filter(([, , holds = ""]) => holds.startsWith(kind))
      .reduce((sum, row) => sum + numbersOf(row).length, 0),
  );
  expect(counts.reduce((sum, count) => sum + count)).toBe(253);
  const [tested, described, yours, unmet, others] = counts;
  expect(page("docs/asvs").text).toContain(
    `Of the 253 requirements ${tested} are tested, ${described} described, ${yours} left to you, ${unmet} not met, and ${others} do not apply.`,
  );
  const missing = rows
    .filter(([, , holds = ""]) => holds.startsWith("tested: "))
    .flatMap(([ids = "", , holds = ""]) => {
      const named = [...holds.matchAll(/`(test\/[^`]+)`: \*(.+?)\*(?:; |$)/g)];
      expect(named.length, ids).toBeGreaterThan(0);
      return named.flatMap(([, path = "", title = ""]) =>
        readFileSync(join(root, path), "utf8").includes(title) ? [] : [`${ids}: ${path} ${title}`],
      );
    });
  expect(missing).toEqual([]);
});
