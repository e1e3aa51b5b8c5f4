import { expect, test } from "vitest";
import { MigrationError } from "../runtime/migrate/index.js";
import { refuseMergeMarkers } from "../runtime/migrate/run/plan.js";
import { mergeMarkers } from "../runtime/values/merge-markers.js";

const path = "migrations/0001_tasks.sql";

test.each([
  ["both sides", "select 1;\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n", 2],
  ["three sides", "<<<<<<< ours\na\n||||||| base\nb\n=======\nc\n>>>>>>> theirs\n", 1],
  ["the lower end alone", "=======\nselect 1;\n>>>>>>> other\n", 3],
  ["a heading that is underlined", "-- Heading\n/*\nHeading\n=======\n*/\nselect 1;\n", null],
  ["a table of dashes and bars", "|||||||\n||||||| a\n", null],
  ["markers that are longer, or do not begin a line", "<<<<<<<< a\n <<<<<<< b\n>>>>>>>\n", null],
])("generate and migrate find the same merge conflict markers: %s", (_, sql, line) => {
  expect(foundByMigrate(sql)).toEqual(foundByGenerate(sql));
  expect(foundByMigrate(sql)?.line ?? null).toBe(line);
});

interface Found {
  readonly line: number;
  readonly message: string;
  readonly hint: string | null;
}

function foundByGenerate(sql: string): Found | null {
  const problem = mergeMarkers(path, sql);
  if (problem === null) return null;
  const { line, message, hint } = problem;
  return { line, message, hint };
}

function foundByMigrate(sql: string): Found | null {
  try {
    refuseMergeMarkers([{ source: "app", name: "0001_tasks", path, sql, checksum: "" }]);
    return null;
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    const [, line, message = ""] = /^[^:]+:(\d+): (.*)$/s.exec(error.message) ?? [];
    return { line: Number(line), message, hint: error.hint };
  }
}
