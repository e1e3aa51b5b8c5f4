import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { block, blocks } from "./blocks.js";

test("a test of this folder runs every block of the README", () => {
  expect(blocks.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
    "Try it: sh", // start
    "Try it: sh", // below
    "Start your own app: sh", // start, as the next two
    "Start your own app: sh",
    "Start your own app: sh",
    "Descriptors: yaml", // settings, as all yaml and sql
    "Descriptors: yaml",
    "Migrations: sql",
    "Configuration: yaml",
    "Accounts: yaml",
    ...Array.from({ length: 7 }, () => "Accounts: sh"), // accounts
    "Files and images: sh", // accounts, as the next
    "Files and images: json",
    "Files and images: yaml",
    "Files and images: yaml",
    "Your own code: ts", // start
  ]);
});

test("the README's way to run the tests is what the continuous integration does", () => {
  const script = readFileSync(new URL("../../.ci/run", import.meta.url), "utf8");
  expect(script).toContain(`\n${block("Try it", 2).trim().replace(" && ", "\n")}\n`);
});
