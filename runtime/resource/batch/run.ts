import { v7 as uuid } from "uuid";
import { foreignKeyViolation, isTooWide, type Queryable, uniqueViolation } from "../../db/index.js";
import { Refusal, refuse } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { maxPageBytes } from "../record/page-text.js";
import { idOrNotFound, readerOf } from "../record/read.js";
import { runAlone } from "../write/alone.js";
import { changeOf, createOf, deleteOf, ruledCaller } from "../write/make.js";
import type { Write, Written } from "../write/operation.js";
import { runWrite } from "../write/run.js";
import { lockInOrder } from "./locks.js";
import { issuesAfter, type OpenStep, type Plan, withIndex } from "./plan.js";
import { referencesIn, resolved } from "./references.js";
import { RefusedTogether, runTogether } from "./together.js";
import { upsert } from "./upsert.js";

/** The result of an operation: its record, or its refusal. */
export type Outcome = Written | Refusal;

/**
 * `plain`: without savepoints, up to the first refusal. `savepoints`: each operation in a savepoint, so that the
 * reason of its refusal can be queried.
 */
export type BatchMode = "plain" | "savepoints";

/** Milliseconds for a whole batch, which occupies one connection. */
const maxDuration = 30_000;

/** Seconds, for `Retry-After`. */
const retryAfter = 2;

/**
 * Runs the operations of a batch in their order, in a transaction. An atomic batch throws the first refusal.
 * Where a constraint refuses an operation of a `plain` run, the transaction is lost before the reason is known: the
 * error is rethrown, and the batch has to be run again with `savepoints`; see `needsSavepoints`.
 */
export async function runBatch(
  actor: Actor,
  connection: Queryable,
  plan: Plan,
  mode: BatchMode,
): Promise<readonly Outcome[]> {
  const end = performance.now() + maxDuration;
  // The ids of new records; an upsert may change a record that has another id.
  const ids = plan.steps.map(() => uuid());
  const outcomes: Outcome[] = [];
  let length = 0;
  await lockInOrder(connection, plan);
  while (outcomes.length < plan.steps.length) {
    if (performance.now() > end) refuse("UNAVAILABLE", { retryAfter });
    const index = outcomes.length;
    const together =
      mode === "plain"
        ? await runTogether(actor, readerOf(connection), plan, { index, ids })
        : null;
    const done = together ?? [
      await runStep(actor, connection, plan, { index, ids, outcomes, mode }),
    ];
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

/** Whether the batch has to be run again with savepoints, to find the reason for the error. */
export function needsSavepoints(error: unknown): boolean {
  return (
    error instanceof RefusedTogether ||
    uniqueViolation(error) !== null ||
    foreignKeyViolation(error) !== null ||
    isTooWide(error)
  );
}

function refusedBatch(plan: Plan, index: number, refusal: Refusal): Refusal {
  return withIndex(refusal, index, refusal.status === 422 ? issuesAfter(plan, index) : []);
}

interface Progress {
  readonly index: number;
  readonly ids: readonly string[];
  readonly outcomes: readonly Outcome[];
  readonly mode: BatchMode;
}

async function runStep(
  actor: Actor,
  connection: Queryable,
  { steps }: Plan,
  { index, ids, outcomes, mode }: Progress,
): Promise<Outcome> {
  const step = steps[index];
  if (step === undefined) throw new Error("There is no such operation");
  if ("refusal" in step) return step.refusal;
  const { operation, definition } = step;
  const reader = readerOf(connection);
  // In a savepoint, so that the transaction can be used after a refusal.
  const inSavepoint = (write: Write) => runAlone(actor, write);
  try {
    if (operation.kind === "delete") return await run(writeOf(actor, step, ids[index] ?? "", {}));
    if (referencesIn(operation.values).some((ref) => outcomes[ref] instanceof Refusal)) {
      return new Refusal("FAILED_DEPENDENCY");
    }
    const values = resolved(operation.values, ids);
    const id = ids[index] ?? "";
    if (operation.kind !== "upsert") return await run(writeOf(actor, step, id, values));
    const caller = ruledCaller(actor);
    const asked = { definition, by: operation.by, values, id, caller };
    return await upsert(reader, asked, inSavepoint);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }

  function run(write: Write): Promise<Written> {
    return mode === "plain" ? runWrite(actor, reader, write) : inSavepoint(write);
  }
}

function writeOf(
  actor: Actor,
  { operation, definition: { table, shapes } }: OpenStep,
  id: string,
  values: Readonly<Record<string, unknown>>,
): Write {
  const caller = ruledCaller(actor);
  switch (operation.kind) {
    case "create":
    case "upsert":
      return createOf(table, shapes.create, { caller, id, values });
    case "update": {
      const target = { id: idOrNotFound(operation.id), ifMatch: operation.ifMatch };
      return changeOf("update", table, shapes.update, { caller, values, ...target });
    }
    case "delete":
      return deleteOf(table, {
        caller,
        id: idOrNotFound(operation.id),
        ifMatch: operation.ifMatch,
      });
  }
}
