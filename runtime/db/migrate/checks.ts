import { RowsInTheWay } from "./error.js";
import { placeOf, refusalOf, wordsOf } from "./refusal.js";
import type { Run, Task } from "./run.js";
import type { Check, Part } from "./script.js";
import { freshSession, inTransaction } from "./session.js";
import { withoutIdleEnds } from "./statements.js";

/**
 * Counts what the migration would fail on or damage, for all its checks as of one moment, before
 * anything of it is done.
 *
 * @throws {MigrationError} with every number, and the query that shows the rows.
 */
export async function refuseFound(
  { db }: Run,
  task: Task,
  checks: readonly Check[],
): Promise<void> {
  if (checks.length === 0) return;
  await freshSession(db);
  const refusals = await inTransaction(db, async () => {
    await db.query("set transaction isolation level repeatable read, read only");
    const found: string[] = [];
    for (const check of checks) {
      const part = queryOf(check);
      const number = await countFound(db, task, part);
      if (number === 0) continue;
      found.push(`${placeOf(task.file, check.line - 1)}: ${inWords(number, part.sql, check)}`);
    }
    return found;
  });
  if (refusals.length === 0) return;
  const { nothing, command } = wordsOf[task.direction];
  throw new RowsInTheWay(
    refusals.join("\n"),
    `${nothing}. Mend those rows and run ${command} again; ${otherWay[task.direction]}`,
  );
}

/** What else can be done, where rows cannot or should not be changed. */
const otherWay = {
  up: "or, while it is applied nowhere, delete it with its .json and its file in down/, change the descriptor and run generate",
  down: "or, if they may go, delete that check from the file",
} as const;

async function countFound(db: Run["db"], task: Task, part: Part): Promise<number> {
  try {
    const [row] = await db.query<{ number: number }>(
      `select count(*)::float8 as number from (${part.sql}\n) as found`,
    );
    return row?.number ?? 0;
  } catch (error) {
    throw refusalOf({ ...task, part, begun: false }, error);
  }
}

/** Without what ends a statement, and the comments around it. */
function queryOf({ line, sql }: Check): Part {
  const query = withoutIdleEnds(sql).replace(/;\s*(--.*)?$/, "");
  const above = sql.slice(0, sql.indexOf(query)).split("\n").length - 1;
  return { line: line + above, sql: query };
}

function inWords(number: number, query: string, { sentence }: Check): string {
  const found = number === 1 ? `1 case: ${sentence}` : `${number} ${sentence}`;
  const lines = query.split("\n");
  const shown = lines.length === 1 ? ` ${query}` : lines.map((line) => `\n    ${line}`).join("");
  return `${found}\n  this query shows them:${shown};`;
}
