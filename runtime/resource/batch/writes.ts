import type { Actor } from "../../own-code/index.js";
import { idOrNotFound } from "../record/read.js";
import { idOfNew } from "../table/kinds/value/new-id.js";
import { callerToCheck, createOf, deleteOf, purgeOf, restoreOf, updateOf } from "../write/make.js";
import type { Create, Write } from "../write/operation.js";
import type { Operation } from "./form.js";
import type { BatchPlan, OpenStep } from "./plan.js";
import { resolved } from "./references.js";

/** The index of a batch's next operation, and the ids of the records of operations that are known so far. */
export interface Turn {
  readonly index: number;
  readonly ids: readonly string[];
}

/** An operation whose kind of write is known before it runs. */
interface SingleStep extends Pick<OpenStep, "definition"> {
  readonly operation: Exclude<Operation, { readonly kind: "upsert" }>;
}

/** Returns the write for an operation other than an upsert. */
export function writeOf(
  actor: Actor,
  { operation, definition: { table, shapes } }: SingleStep,
  { index, ids }: Turn,
): Write {
  const caller = callerToCheck(actor);
  switch (operation.kind) {
    case "create": {
      const values = resolved(table, operation.values, ids);
      return createOf(table, shapes.create, { caller, ...idOfNew(table, ids[index]), values });
    }
    case "update": {
      const target = { id: idOrNotFound(table, operation.id), ifMatch: operation.ifMatch };
      const values = resolved(table, operation.values, ids);
      return updateOf(table, shapes.update, { caller, values, ...target });
    }
    case "delete": {
      const target = { id: idOrNotFound(table, operation.id), ifMatch: operation.ifMatch };
      return operation.skipsTrash
        ? purgeOf(table, { caller, ...target })
        : deleteOf(table, { caller, ...target });
    }
    case "restore":
      return restoreOf(table, { caller, id: idOrNotFound(table, operation.id) });
  }
}

/** Yields the creates of one resource from this operation on, up to the first other operation. */
export function* createsFrom(
  actor: Actor,
  { steps }: BatchPlan,
  { index, ids }: Turn,
): Iterable<Create> {
  const first = steps[index];
  if (first === undefined || "refusal" in first) return;
  for (let at = index; at < steps.length; at += 1) {
    const step = steps[at];
    if (step === undefined || "refusal" in step || step.definition !== first.definition) return;
    if (step.operation.kind !== "create") return;
    const { table, shapes } = step.definition;
    const values = resolved(table, step.operation.values, ids);
    yield createOf(table, shapes.create, {
      caller: callerToCheck(actor),
      ...idOfNew(table, ids[at]),
      values,
    });
  }
}
