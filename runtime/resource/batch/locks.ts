import { lockClasses, type Queryable } from "../../db/index.js";
import type { BatchPlan, Step } from "./plan.js";

/**
 * Locks the records that a batch will change, in the order of the lock numbers, which all batches share: batches that
 * change the same records in different orders wait for each other instead of deadlocking. The locks are advisory, since
 * the record of an upsert may not exist yet.
 */
export async function lockInOrder({ query }: Queryable, { steps }: BatchPlan): Promise<void> {
  const names = new Set(steps.flatMap(nameOf));
  // The order of a single lock does not matter.
  if (names.size < 2) return;
  await query(
    `select pg_advisory_xact_lock($1, number)
     from (
       select distinct hashtext(name) as number
       from unnest($2::text[]) as name
       order by number
     ) as numbers`,
    [lockClasses.batchRecord, [...names]],
  );
}

function nameOf(step: Step): string[] {
  if ("refusal" in step) return [];
  const { operation } = step;
  switch (operation.kind) {
    case "create":
      return [];
    case "upsert": {
      const { by, values } = operation;
      return [
        named(
          operation.resource,
          by.toSorted().flatMap((key) => [key, values[key] ?? null]),
        ),
      ];
    }
    case "update":
    case "delete":
    case "restore":
      return [named(operation.resource, [operation.id])];
    default:
      return operation satisfies never;
  }
}

/** Names a lock. Unique values and ids may be equal although they differ in case. */
function named(resource: string, parts: readonly unknown[]): string {
  return JSON.stringify([resource, ...parts]).toLowerCase();
}
