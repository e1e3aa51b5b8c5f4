import type { Queryable } from "../../db/index.js";
import { Refusal } from "../../errors/index.js";
import type { Actor } from "../../services/index.js";
import { checkWhole, isValid } from "../body.js";
import type { Values } from "../conflicts.js";
import type { ResourceDefinition } from "../definition.js";
import { hasOwnCode } from "../own-code/before.js";
import type { Reader } from "../read.js";
import { refuseTaken } from "../refuse-conflict.js";
import { isWrittenAlike } from "../rights/rules.js";
import type { Table } from "../table.js";
import { fileKeysOf } from "../write/files.js";
import type { Written } from "../write/operation.js";
import { type InsertedRow, insertTogether, recordsTogether } from "../write/statements.js";
import type { Plan } from "./plan.js";
import { resolved } from "./references.js";

/** New records of one resource that one statement inserts. */
export interface Together {
  readonly table: Table<never>;
  readonly rows: readonly { readonly id: string; readonly values: Values }[];
}

/**
 * The operations from this one on that one statement can run: they create records of one resource, and only
 * constraints decide about them. Null where there is only one.
 */
export function togetherFrom(
  actor: Actor,
  { steps }: Plan,
  { index, ids }: { readonly index: number; readonly ids: readonly string[] },
): Together | null {
  const first = steps[index];
  if (first === undefined || "refusal" in first || first.operation.kind !== "create") return null;
  const { definition } = first;
  if (hasOwnCode(actor, definition.table, "create")) return null;
  if (!isWrittenAlike(definition.table)) return null;
  const rows: { id: string; values: Values }[] = [];
  for (let at = index; at < steps.length; at += 1) {
    const step = steps[at];
    if (step === undefined || "refusal" in step || step.definition !== definition) break;
    if (step.operation.kind !== "create") break;
    const values = rowOf(definition, resolved(step.operation.values, ids));
    if (values === null) break;
    rows.push({ id: ids[at] ?? "", values });
  }
  return rows.length < 2 ? null : { table: definition.table, rows };
}

/** Null where the values are refused, or are looked up before they are stored. */
function rowOf({ table, shapes }: ResourceDefinition, sent: Values): Values | null {
  const checked = checkWhole(shapes.create, sent);
  const { values } = checked;
  return isValid(checked) && fileKeysOf(table, values).length === 0 ? values : null;
}

/**
 * Runs them in one statement. A taken value is refused by its constraint, never by a missing row; a record that a
 * trigger of the app's own leaves out is refused as it is alone.
 */
export async function runTogether(
  { query }: Reader,
  { table, rows }: Together,
): Promise<readonly (Written | Refusal)[]> {
  const { text, parameters } = insertTogether(table, rows);
  const records = recordsTogether(rows, await query<InsertedRow>(text, parameters));
  const outcomes: (Written | Refusal)[] = [];
  for (const [at, { id, values }] of rows.entries()) {
    const record = records[at] ?? null;
    outcomes.push(record === null ? await refusalOf({ query }, table, values) : { id, record });
  }
  return outcomes;
}

async function refusalOf(db: Queryable, table: Table<never>, values: Values): Promise<Refusal> {
  try {
    return await refuseTaken(db, table, values, null);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
