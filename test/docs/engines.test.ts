import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { headingsOf, page } from "./pages.js";

const root = join(import.meta.dirname, "../..");

/** The rows of the table below a heading, each with its cells. */
function rowsBelow(anchor: string): readonly (readonly string[])[] {
  const heading = headingsOf(page("docs/engines")).find((one) => one.anchor === anchor);
  return (heading?.text ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

const used = rowsBelow("features-of-postgresql-in-use");

test("each feature of PostgreSQL that we use is in one of the files that the page on databases names for it", () => {
  expect(used.length).toBeGreaterThan(15);
  const missing = used.flatMap(([feature = "", where = ""]) => {
    const paths = [...where.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
    const texts = paths.map((path) => readFileSync(join(root, path), "utf8"));
    return [...feature.matchAll(/`([^`]+)`/g)]
      .flatMap(([, words = ""]) => words.split(" … "))
      .filter((words) => !texts.some((text) => text.toLowerCase().includes(words.toLowerCase())));
  });
  expect(missing).toEqual([]);
});

/** What other engines and services often lack. */
const rare: Readonly<Record<string, RegExp>> = {
  "merge into": /\bmerge into\b/,
  "security definer": /\bsecurity definer\b/,
  deferrable: /\bdeferrable initially\b/,
  pg_advisory_xact_lock: /\bpg_advisory_xact_lock\b/,
  pg_try_advisory_lock: /\bpg_try_advisory_lock\b/,
  "skip locked": /\bskip locked\b/,
  "create temporary table": /\bcreate temporary table\b/,
  identity: /\bas identity\b/,
  xmin: /\bxmin\b/,
  pg_trgm: /\bpg_trgm\b/,
};
const unused: Readonly<Record<string, RegExp>> = {
  listen: /["`](?:un)?listen \w+["`]|\bpg_notify\(/,
  partitions: /\bpartition by (?:range|list|hash)\b/,
  "unlogged tables": /\bcreate unlogged\b/,
  "row level security": /\bcreate policy\b|enable row level security/,
  // `adopt` prints the definitions of columns that exist, from a format.
  "generated columns": /\bgenerated always as \((?!%s\))/,
  "exclusion constraints": /\bexclude using\b/,
  "event triggers": /\bcreate event trigger\b/,
  "logical decoding": /\bcreate (?:publication|subscription)\b|logical_replication_slot/,
  "large objects": /\blo_(?:create|import|open)\b/,
  "two-phase commit": /\bprepare transaction\b/,
};

test("the page names used and unused features", () => {
  const text = page("docs/engines").text.replaceAll(/\s+/g, " ");
  const code = sources().join("\n").toLowerCase();
  for (const [words, pattern] of Object.entries(rare)) {
    expect([words, pattern.test(code), text.includes(words)]).toEqual([words, true, true]);
  }
  for (const [words, pattern] of Object.entries(unused)) {
    expect([words, pattern.exec(code)?.[0], text.includes(words)]).toEqual([
      words,
      undefined,
      true,
    ]);
  }
});

function sources(): readonly string[] {
  return ["runtime", "generator", "templates", "bin"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:ts|sql|hbs)$/.test(name))
      .filter((name) => !name.includes("dashboard/web") && !name.startsWith("dist/"))
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  );
}

test("every sentence of doctor about a server is on the page", () => {
  const code = readFileSync(join(root, "runtime/migrate/session/server.ts"), "utf8");
  const said = rowsBelow("messages-of-doctor").map(([sentence = ""]) => sentence);
  const sentences = [...code.matchAll(/message: (["`])(.*?)\1/g)].map(([, , sentence = ""]) =>
    sentence.replaceAll(/\$\{[^}]+\}/g, "…"),
  );
  expect(sentences.length).toBeGreaterThan(6);
  const untold = sentences.filter(
    (sentence) => !said.some((one) => one.includes(sentence.slice(0, 25))),
  );
  expect(untold).toEqual([]);
});
