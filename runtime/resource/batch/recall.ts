import { refuse } from "../../errors/index.js";
import type { Context } from "../../http/index.js";
import type { KeptAnswer } from "../idempotency/kept-answers.js";
import { type Recalled, recallRecord } from "../idempotency/recall.js";
import { maxPageBytes } from "../record/page-text.js";
import { batchJson, type Part } from "./answer.js";
import type { Plan, Step } from "./plan.js";

/**
 * The answer to a batch whose body was dropped, with the records as they are now. Refuses with 409 if one no longer
 * exists, or if their ids were dropped too, and with 413 if they have grown beyond the limit of an answer.
 */
export async function recallBatch(
  context: Context,
  { atomic, steps }: Plan,
  { kept, isTagged }: { readonly kept: KeptAnswer; readonly isTagged: boolean },
): Promise<Recalled> {
  const outcomes: readonly unknown[] = JSON.parse(kept.outcomes ?? "[]");
  const parts: Part[] = [];
  let length = 0;
  for (const [index, step] of steps.entries()) {
    const part = await recallPart(context, step, outcomes[index]);
    if (part.kind === "record") length += part.json.length;
    if (length > maxPageBytes) refuse("TOO_LARGE");
    parts.push(part);
  }
  return { json: batchJson({ atomic, isTagged }, parts), etag: null };
}

async function recallPart(context: Context, step: Step, outcome: unknown): Promise<Part> {
  if (outcome === null) return { kind: "deleted" };
  if (typeof outcome === "number") return { kind: "refused", status: outcome, error: reasonLost };
  // Batches of former releases have no outcomes, nor have those whose outcomes were dropped.
  if (typeof outcome !== "string" || !("definition" in step)) return refuse("ANSWER_DROPPED");
  const { table } = step.definition;
  const { json, etag } = await recallRecord(context, table, { id: outcome, kept: { etag: null } });
  return { kind: "record", json, etag: etag ?? "" };
}

const reasonLost = { error: "Refused; the reason is no longer stored" };
