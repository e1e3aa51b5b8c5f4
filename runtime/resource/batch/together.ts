import { isUnavailable, sqlState } from "../../db/index.js";
import type { Actor } from "../../own-code/index.js";
import { hasOwnCode } from "../hooks/before.js";
import type { Reader } from "../record/read.js";
import { isWrittenAlike } from "../rights/rules.js";
import { checkWhole, isValid } from "../table/body.js";
import type { Values } from "../table/conflicts.js";
import type { ResourceDefinition } from "../table/definition.js";
import type { Table } from "../table/table.js";
import { fileKeysOf } from "../write/files.js";
import type { InsertedRow, Written } from "../write/operation.js";
import { forgetTriggers, hasOwnTriggers } from "../write/own-triggers.js";
import { insertTogether, type NewRow, storedTogether } from "../write/together.js";
import type { Plan } from "./plan.js";
import { resolved } from "./references.js";

/** The statement was refused: stored alone, some of its records may not be, and for a reason that can be told. */
export class RefusedTogether extends Error {
  constructor(cause: unknown) {
    super("Records were refused together", { cause });
  }
}

/** The operation that comes next, and the ids of all. */
interface Place {
  readonly index: number;
  readonly ids: readonly string[];
}

/**
 * Runs the operations from this one on that one statement can run: they create records of one resource, and only
 * constraints decide about them. Null where this one has to be run alone: there are no others, or inserts run
 * something of the app's own.
 *
 * @throws {RefusedTogether} when PostgreSQL refuses the statement.
 */
export async function runTogether(
  actor: Actor,
  reader: Reader,
  plan: Plan,
  place: Place,
): Promise<readonly Written[] | null> {
  const table = tableAt(actor, plan, place.index);
  if (table === null || table !== tableAt(actor, plan, place.index + 1)) return null;
  // Outside of the transaction, so that what is known outlives it.
  const { db } = actor.unit?.outer ?? actor.services;
  if (await hasOwnTriggers(db, reader, table)) return null;
  const rows = rowsFrom(plan, place);
  if (rows.length < 2) return null;
  const { text, parameters } = insertTogether(table, rows);
  try {
    return storedTogether(rows, await reader.query<InsertedRow>(text, parameters));
  } catch (error) {
    // Others lost a connection, or to somebody else.
    if (sqlState(error) === null || isUnavailable(error)) throw error;
    forgetTriggers(db, table);
    throw new RefusedTogether(error);
  }
}

/** The table in which the operation creates a record, where it may be stored with others. */
function tableAt(actor: Actor, { steps }: Plan, index: number): Table<never> | null {
  const step = steps[index];
  if (step === undefined || "refusal" in step || step.operation.kind !== "create") return null;
  const { table } = step.definition;
  return isWrittenAlike(table) && !hasOwnCode(actor, table, "create") ? table : null;
}

function rowsFrom({ steps }: Plan, { index, ids }: Place): readonly NewRow[] {
  const rows: NewRow[] = [];
  const first = steps[index];
  for (const [at, step] of steps.entries()) {
    if (at < index) continue;
    if (first === undefined || "refusal" in first || "refusal" in step) break;
    if (step.definition !== first.definition || step.operation.kind !== "create") break;
    const values = rowOf(step.definition, resolved(step.operation.values, ids));
    if (values === null) break;
    rows.push({ id: ids[at] ?? "", values });
  }
  return rows;
}

/** Null where the values are refused, or are looked up before they are stored. */
function rowOf({ table, shapes }: ResourceDefinition, sent: Values): Values | null {
  const checked = checkWhole(shapes.create, sent);
  const { values } = checked;
  return isValid(checked) && fileKeysOf(table, values).length === 0 ? values : null;
}
