import { BlockedByRows } from "../error.js";
import type { Check, ScriptPart } from "../files/script.js";
import { trimComments } from "../files/statements.js";
import type { Task } from "../history/steps.js";
import { inTransaction, resetSession } from "../session/transaction.js";
import type { PlannedTask } from "./plan.js";
import type { Run } from "./run.js";
import { refusedValues } from "./schemas.js";
import { lineReference, phrases, stepError } from "./step-error.js";

/**
 * Counts the rows that the migration would fail on or damage, for all its checks in one snapshot, before its first
 * step.
 *
 * @throws {MigrationError} with the counts, and the statements that show the rows.
 */
export async function refuseFailedChecks(run: Run, task: PlannedTask): Promise<void> {
  const { db } = run;
  if (task.script.checks.length + task.script.schemas.length === 0) return;
  await resetSession(db);
  const found = await inTransaction(db, async () => {
    await db.query("set transaction isolation level repeatable read, read only");
    return [...(await failedChecks(run, task)), ...(await refusedValues(run, task))];
  });
  if (found.length > 0) throw failedChecksError(found, task, phrases[task.direction].nothing);
}

/** Returns the findings of a migration's checks in the current schema, one sentence each. */
export async function failedChecks(
  { db }: Pick<Run, "db">,
  task: PlannedTask,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const check of task.script.checks) {
    const part = statementOf(check);
    const number = await countRows(db, task, part);
    if (number === 0) continue;
    const groups = await firstGroups(db, part);
    const sentence = describeFound(number, part.sql, { ...check, groups });
    found.push(`${lineReference(task.file, check.line - 1)}: ${sentence}`);
  }
  return found;
}

/** Returns the error for a migration that is not applied or undone. `outcome` begins the hint, in lower case. */
export function failedChecksError(
  found: readonly string[],
  { file, direction }: Task,
  outcome: string,
): BlockedByRows {
  const { command } = phrases[direction];
  const way =
    direction === "up" && found.some((sentence) => newField.test(sentence))
      ? fillFirst
      : `fix those rows and run ${command} again; ${alternatives[direction]}`;
  return new BlockedByRows(file.name, found.join("\n"), `${outcome}; ${way}`);
}

/**
 * Matches the sentence that `generate` writes about a new required field: no row can get a value before the migration.
 */
const newField = /^.*: (?:1 row|\d+ rows) of \S+ would have no "/;

/** Part of a hint on how to discard an unwanted migration. */
const deletable = "while it is applied nowhere, delete it with its .json and its file in down/";

const fillFirst = `optional first, then filled, then required: ${deletable}, make the field optional, run npx service generate and npx service migrate, fill it in all rows, then make it required; or give it a default`;

/** Hints for rows that cannot or should not be changed. */
const alternatives = {
  up: `or, ${deletable}, change the descriptor and run npx service generate`,
  down: "or, if they may go, delete that check from the file",
} as const;

async function countRows(db: Run["db"], task: Task, part: ScriptPart): Promise<number> {
  try {
    const [row] = await db.query<{ number: number }>(
      `select count(*)::float8 as number from (${part.sql}\n) as found`,
    );
    return row?.number ?? 0;
  } catch (error) {
    throw stepError({ ...task, part, begun: false }, error);
  }
}

/** The statement without its semicolon and surrounding comments. */
function statementOf({ line, sql }: Check): ScriptPart {
  const statement = trimComments(sql).replace(/;\s*(--.*)?$/, "");
  const above = sql.slice(0, sql.indexOf(statement)).split("\n").length - 1;
  return { line: line + above, sql: statement };
}

/** The maximum number of groups of values listed in an error. */
const maxGroups = 20;

/** Returns the first values that differ only in case, one line per group; empty for other checks. */
async function firstGroups(db: Run["db"], { sql }: ScriptPart): Promise<readonly string[]> {
  if (!/ as alike,/.test(sql)) return [];
  const rows = await db.query<{ alike: string }>(
    `select alike from (${sql}\n) as found limit ${maxGroups}`,
  );
  return rows.map(({ alike }) => alike);
}

interface Found extends Check {
  readonly groups: readonly string[];
}

function describeFound(number: number, statement: string, { sentence, groups }: Found): string {
  const found = number === 1 ? singular(sentence) : `${number} ${sentence}`;
  const lines = statement.split("\n");
  const shown =
    lines.length === 1 ? ` ${statement}` : lines.map((line) => `\n    ${line}`).join("");
  const first = groups.map((group) => `\n    ${group}`).join("");
  return `${found}${first}\n  this statement shows them:${shown};`;
}

/** Turns the sentence for several rows into `1 row of tasks holds no "title"`. */
function singular(sentence: string): string {
  const [noun = ""] = /^(?:row|value|object)(?=s\b)/.exec(sentence) ?? [];
  if (noun === "") return `1 case: ${sentence}`;
  const rest = sentence
    .slice(noun.length + 1)
    .replace(/ (hold|are|depend)\b/, (_, verb: keyof typeof verbs) => ` ${verbs[verb]}`)
    .replace(", and are ", ", and is ");
  return `1 ${noun}${rest}`;
}

const verbs = { hold: "holds", are: "is", depend: "depends" } as const;
