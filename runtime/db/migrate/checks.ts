import { MigrationError } from "./error.js";
import { firstLine, placeOf, refusalOf } from "./refusal.js";
import type { Run, Task } from "./run.js";
import { freshSession, inTransaction } from "./session.js";
import type { Check } from "./steps.js";

/**
 * Counts what the migration would fail on or damage, for all its checks as of one moment, before
 * anything of it is done.
 *
 * @throws {MigrationError} with every number, and the query that shows the rows.
 */
export async function refuseFound(
  { db }: Run,
  { file }: Task,
  checks: readonly Check[],
): Promise<void> {
  if (checks.length === 0) return;
  await freshSession(db);
  const refusals = await inTransaction(db, async () => {
    await db.query("set transaction isolation level repeatable read, read only");
    const found: string[] = [];
    for (const check of checks) {
      const number = await countFound(db, file, check);
      if (number > 0) found.push(`${placeOf(file, check.line - 1)}: ${inWords(number, check)}`);
    }
    return found;
  });
  if (refusals.length === 0) return;
  throw new MigrationError(
    refusals.join("\n"),
    "Nothing of this file was applied. Mend those rows and run migrate again",
  );
}

async function countFound(db: Run["db"], file: Task["file"], check: Check): Promise<number> {
  const part = { line: check.line, sql: queryOf(check.sql) };
  try {
    const [row] = await db.query<{ number: number }>(
      `select count(*)::float8 as number from (${part.sql}\n) as found`,
    );
    return row?.number ?? 0;
  } catch (error) {
    throw refusalOf({ file, part, begun: false }, error);
  }
}

/** Without what ends a statement, and the comments and blanks after it. */
function queryOf(sql: string): string {
  const lines = sql.split("\n");
  const isIdle = (line = "") => /^\s*(--.*)?$/.test(line);
  while (lines.length > 0 && isIdle(lines.at(-1))) lines.pop();
  return lines.join("\n").replace(/;\s*(--.*)?$/, "");
}

function inWords(number: number, check: Check): string {
  const sentence = number === 1 ? `1 case: ${check.sentence}` : `${number} ${check.sentence}`;
  const lines = queryOf(check.sql)
    .split("\n")
    .slice(firstLine(check) - check.line);
  const query = lines.length === 1 ? ` ${lines[0]}` : lines.map((line) => `\n    ${line}`).join("");
  return `${sentence}\n  this query shows them:${query};`;
}
