import { refuse } from "../../errors/index.js";
import type { Context } from "../../http/index.js";
import type { KeptAnswer } from "../idempotency/kept-answers.js";
import { type Recalled, recallRecords } from "../idempotency/recall.js";
import { maxPageBytes } from "../record/page-text.js";
import type { Table } from "../table/table.js";
import { batchJson, type Part } from "./answer.js";
import type { BatchPlan, Step } from "./plan.js";

/**
 * Recreates the response to a batch whose body was dropped, from the current records. Refuses with 409 if one no longer
 * exists, or if their ids were dropped too, and with 413 if they have grown beyond the limit of a response.
 */
export async function recallBatch(
  context: Context,
  { atomic, steps }: BatchPlan,
  { kept, isTagged }: { readonly kept: KeptAnswer; readonly isTagged: boolean },
): Promise<Recalled> {
  const outcomes: readonly unknown[] = JSON.parse(kept.outcomes ?? "[]");
  const records = await recordsOf(context, steps, outcomes);
  const parts: Part[] = [];
  let length = 0;
  for (const [index, step] of steps.entries()) {
    const part = partOf(step, outcomes[index], records);
    if (part.kind === "record") length += part.json.length;
    if (length > maxPageBytes) refuse("TOO_LARGE");
    parts.push(part);
  }
  return { json: batchJson({ atomic, isTagged }, parts), etag: null };
}

type Records = ReadonlyMap<Table<never>, ReadonlyMap<string, Recalled>>;

/** Reads the current records of the outcomes, with one statement per resource. */
async function recordsOf(
  context: Context,
  steps: readonly Step[],
  outcomes: readonly unknown[],
): Promise<Records> {
  const ids = new Map<Table<never>, string[]>();
  for (const [index, step] of steps.entries()) {
    const outcome = outcomes[index];
    if (typeof outcome !== "string" || !("definition" in step)) continue;
    const { table } = step.definition;
    ids.set(table, [...(ids.get(table) ?? []), outcome]);
  }
  const records = new Map<Table<never>, ReadonlyMap<string, Recalled>>();
  for (const [table, some] of ids) {
    records.set(table, await recallRecords(context, table, some));
  }
  return records;
}

function partOf(step: Step, outcome: unknown, records: Records): Part {
  if (outcome === null) return { kind: "deleted" };
  if (typeof outcome === "number") return { kind: "refused", status: outcome, error: reasonLost };
  // Earlier releases stored no outcomes, and outcomes may have been dropped.
  if (typeof outcome !== "string" || !("definition" in step)) return refuse("ANSWER_DROPPED");
  const record = records.get(step.definition.table)?.get(outcome) ?? refuse("ANSWER_DROPPED");
  return { kind: "record", json: record.json, etag: record.etag ?? "" };
}

const reasonLost = { error: "Refused; the reason is no longer stored" };
