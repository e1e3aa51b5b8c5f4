import { expect, test } from "vitest";
import { findStatements } from "../../../runtime/migrate/files/statements.js";

test.each([
  ["", []],
  ["-- only; a comment\n ; ;\n/* and; /* one; */ inside; */", []],
  ["select 1", [0]],
  ["\n-- a\nselect 1;\n\nselect\n  2; select 3;\n", [2, 4, 5]],
  ["select ';\n';\nselect ''';\n';\nselect 1", [0, 2, 4]],
  ["select e'\\';\n';\nselect 1", [0, 2]],
  ['select 1 as ";\n";\nselect 1', [0, 2]],
  [
    "do $$ begin; $a$ ;\n $$;\ndo $a$ $$;\n$a$;\nselect a$b$, 1;\nselect $1;\nselect 1",
    [0, 2, 4, 5, 6],
  ],
  [
    "create function f() returns int begin atomic\nselect case when true then 1 end;\nselect 2;\nend;\nselect 1",
    [0, 4],
  ],
  ["select 'never closed;\nselect 1", [0]],
])("finds where the statements of %j begin", (sql, lines) => {
  // What is not closed takes the rest apart wrongly, but ends.
  const found = findStatements(sql).map(({ line }) => line);
  expect(sql.includes("never closed") ? found.slice(0, 1) : found).toEqual(lines);
});
