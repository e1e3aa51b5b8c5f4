import { lockClasses, type Queryable } from "../../db/index.js";
import type { Plan, Step } from "./plan.js";

/**
 * Locks what the operations of a batch will change, in the order of the locks' numbers, which all batches share: those
 * that change the same records in different orders wait for each other instead of meeting in a deadlock. What is
 * locked are names, not rows, as the record of an upsert may not exist yet.
 */
export async function lockInOrder({ query }: Queryable, { steps }: Plan): Promise<void> {
  const names = new Set(steps.flatMap(nameOf));
  // One lock alone cannot be taken in another order.
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
      return [named(operation.resource, [operation.id])];
    default:
      return operation satisfies never;
  }
}

/** Unique values and ids may differ in case and still be the same. */
function named(resource: string, parts: readonly unknown[]): string {
  return JSON.stringify([resource, ...parts]).toLowerCase();
}
