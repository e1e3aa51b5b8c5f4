import { v7 as uuid } from "uuid";
import { isTooWide, type Queryable, tableRefusal } from "../../db/index.js";
import { Refusal, refuse } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { Overtaken } from "../own-code/reads.js";
import { maxPageBytes } from "../record/page-text.js";
import { readerOf } from "../record/read.js";
import { idOfTable } from "../table/column-keys.js";
import { createFollowing, SeveralRefused } from "../write/join/following.js";
import { callerToCheck } from "../write/make.js";
import type { Written } from "../write/operation.js";
import { runWrite, writePart } from "../write/run.js";
import { lockInOrder } from "./locks.js";
import { type BatchPlan, issuesAfter, type Step, withIndex } from "./plan.js";
import { referencesIn, resolved } from "./references.js";
import { upsert } from "./upsert.js";
import { createsFrom, type Turn, writeOf } from "./writes.js";

/** The result of an operation: its record, or its refusal. */
export type Outcome = Written | Refusal;

/**
 * `plain`: without savepoints, up to the first refusal. `savepoints`: with a savepoint per operation, so that the
 * reason for its refusal can be queried. `immediate`: also checks deferred constraints after each operation.
 */
export type BatchMode = "plain" | "savepoints" | "immediate";

/** The caller who sent a batch, and the transaction in which it runs. */
interface BatchPlace {
  readonly actor: Actor;
  readonly connection: Queryable;
}

/** The timeout of a whole batch in milliseconds: it occupies one connection. */
const maxDuration = 30_000;

/** Seconds for `Retry-After`. */
const retryAfter = 2;

/**
 * Runs the operations of a batch in order, in a transaction. An atomic batch throws the first refusal. A `plain` run
 * rethrows two kinds of errors, after which the batch must run again with `savepoints`; see `needsSavepoints`.
 *
 * - A constraint refuses an operation: the transaction has failed before the reason is known.
 * - App code wrote, and then lost to a concurrent transaction: a single operation cannot be rolled back.
 */
export async function runBatch(
  place: BatchPlace,
  plan: BatchPlan,
  mode: BatchMode,
): Promise<readonly Outcome[]> {
  const { connection } = place;
  const end = performance.now() + maxDuration;
  // The ids of new records; an upsert may change a record with another id.
  const ids = plan.steps.map(idOf);
  const outcomes: Outcome[] = [];
  let length = 0;
  await lockInOrder(connection, plan);
  if (mode === "immediate") await connection.query("set constraints all immediate");
  while (outcomes.length < plan.steps.length) {
    if (performance.now() > end) refuse("UNAVAILABLE", { retryAfter });
    const index = outcomes.length;
    const done = await runStep(place, plan, { index, ids, outcomes, mode });
    for (const outcome of done) note(outcome);
  }
  return outcomes;

  function note(outcome: Outcome): void {
    const index = outcomes.length;
    if (outcome instanceof Refusal) {
      if (outcome.status >= 500) throw outcome;
      if (plan.atomic) throw refusedBatch(plan, index, outcome);
    } else {
      ids[index] = outcome.id;
      length += outcome.record?.json.length ?? 0;
      if (length > maxPageBytes)
        refuse("TOO_LARGE", { error: "The records of the batch take more than 16 MB" });
    }
    outcomes.push(outcome);
  }
}

/**
 * Returns the id for an operation's new record: the caller's, or a new UUID, which stands for an id that the database
 * generates.
 */
function idOf(step: Step): string {
  if (!("definition" in step) || step.operation.kind !== "create") return uuid();
  const { made } = idOfTable(step.definition.table);
  const { id } = step.operation.values;
  return made === "caller" && typeof id === "string" ? id : uuid();
}

/** Whether the batch must run again with savepoints, to find the reason for the error or to roll back one operation. */
export function needsSavepoints(error: unknown): boolean {
  return (
    error instanceof SeveralRefused ||
    error instanceof Overtaken ||
    tableRefusal(error) !== null ||
    isTooWide(error)
  );
}

function refusedBatch(plan: BatchPlan, index: number, refusal: Refusal): Refusal {
  return withIndex(refusal, index, refusal.status === 422 ? issuesAfter(plan, index) : []);
}

interface Progress extends Turn {
  readonly outcomes: readonly Outcome[];
  readonly mode: BatchMode;
}

/** Runs the next operation, or several creates in one statement, and returns the outcomes. */
async function runStep(
  { actor, connection }: BatchPlace,
  plan: BatchPlan,
  { outcomes, mode, ...turn }: Progress,
): Promise<readonly Outcome[]> {
  const step = plan.steps[turn.index];
  if (step === undefined) throw new Error("There is no such operation");
  if ("refusal" in step) return [step.refusal];
  const { operation, definition } = step;
  if ("values" in operation) {
    const hasFailed = (ref: number) => outcomes[ref] instanceof Refusal;
    if (referencesIn(definition.table, operation.values).some(hasFailed))
      return [new Refusal("FAILED_DEPENDENCY")];
  }
  try {
    if (operation.kind === "upsert") {
      const values = resolved(definition.table, operation.values, turn.ids);
      const id = turn.ids[turn.index] ?? "";
      const sent = { definition, by: operation.by, values, id, caller: callerToCheck(actor) };
      // In a savepoint, since a refused attempt may be followed by another.
      return [await upsert(readerOf(connection), sent, (write) => runWrite(actor, write))];
    }
    const single = { operation, definition };
    if (mode !== "plain") return [await runWrite(actor, writeOf(actor, single, turn))];
    const several = await createFollowing(actor, connection, createsFrom(actor, plan, turn));
    if (several.length > 0) return several;
    return [await writePart(actor, connection, writeOf(actor, single, turn))];
  } catch (error) {
    if (error instanceof Refusal) return [error];
    throw error;
  }
}
