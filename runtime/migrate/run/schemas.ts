import { newFinder } from "../../values/json-schema/finder.js";
import { schemaValidator } from "../../values/json-schema/validate.js";
import type { SchemaCheck } from "../files/script.js";
import { trimComments } from "../files/statements.js";
import type { PlannedTask } from "./plan.js";
import type { Run } from "./run.js";
import { lineReference, stepError } from "./step-error.js";

/** The maximum number of values listed in an error. */
const maxNamed = 5;

/** The number of values validated at a time. */
const atOnce = 500;

/**
 * Finds stored values that violate a migration's JSON Schemas, and returns one sentence for each field. Skips the
 * fields in `allowInvalid`. Runs in a transaction.
 */
export async function refusedValues(run: Run, task: PlannedTask): Promise<readonly string[]> {
  const found: string[] = [];
  for (const check of task.script.schemas) {
    if (run.allowInvalid.includes(check.field)) continue;
    const { count, first } = await judge(run, task, check);
    if (count === 0) continue;
    const what = count === 1 ? "1 value does not fit" : `${count} values do not fit`;
    found.push(
      [
        `${lineReference(task.file, check.line - 1)}: ${check.field}: ${what} its JSON Schema; to keep them as they are, run npx service migrate --allow-invalid ${check.field}`,
        ...first.map((one) => `    ${one}`),
      ].join("\n"),
    );
  }
  return found;
}

interface Judged {
  readonly count: number;
  /** The first violations, each with the id of its row. */
  readonly first: readonly string[];
}

async function judge({ db }: Run, task: PlannedTask, check: SchemaCheck): Promise<Judged> {
  const sql = trimComments(check.sql).replace(/;\s*$/, "");
  const validate = schemaValidator(check.schema, newFinder());
  const first: string[] = [];
  let count = 0;
  try {
    await db.query(
      `declare _values no scroll cursor for select id::text as id, value::text as value from (${sql}\n) as _stored`,
    );
    for (;;) {
      const rows = await db.query<{ id: string; value: string | null }>(
        `fetch ${atOnce} from _values`,
      );
      if (rows.length === 0) break;
      for (const { id, value } of rows) {
        const [issue] = value === null ? [] : validate(JSON.parse(value));
        if (issue === undefined) continue;
        count += 1;
        const place = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
        if (first.length < maxNamed) first.push(`${id}: ${place}${issue.message}`);
      }
    }
    await db.query("close _values");
  } catch (error) {
    throw stepError({ ...task, part: check, begun: false }, error);
  }
  return { count, first };
}
