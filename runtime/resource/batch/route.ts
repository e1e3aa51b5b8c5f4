import { tableRefusal } from "../../db/index.js";
import {
  type HandledRoute,
  Parameters,
  readJsonBody,
  refusePreconditions,
  refuseUnauthenticated,
  takesQuery,
} from "../../http/index.js";
import type { KeyedAnswer } from "../idempotency/kept-answers.js";
import { idempotencyKeyOf, keyedRequest } from "../idempotency/key.js";
import { once, type Within } from "../idempotency/once.js";
import { answerOrReplay } from "../idempotency/repeat.js";
import { showAgain } from "../idempotency/show.js";
import { inUnit } from "../own-code/unit.js";
import { resourcesByName } from "../table/by-name.js";
import type { ResourceDefinition } from "../table/definition.js";
import type { Table } from "../table/table.js";
import { answerOf } from "./answer.js";
import { readBatch } from "./form.js";
import { type BatchPlan, planBatch, type Step } from "./plan.js";
import { recallBatch } from "./recall.js";
import { withMarkedValues } from "./references.js";
import { type BatchMode, needsSavepoints, runBatch } from "./run.js";

const path = "/_service/batch";

/** `POST /_service/batch`: several writes to any resources, in one transaction. */
export function batchRoute(definitions: readonly ResourceDefinition[]): HandledRoute {
  const byName = resourcesByName(definitions);
  return {
    method: "POST",
    path,
    access: "signed-in",
    handle: takesQuery(async (context) => {
      refusePreconditions(context.request);
      const key = idempotencyKeyOf(context);
      const parameters = new Parameters(context.query);
      const isTagged = parameters.takeFlag("etags") ?? false;
      parameters.finish();
      const { value, bytes } = await readJsonBody(context);
      const batch = withMarkedValues(readBatch(value), byName, bytes);
      const plan = planBatch(batch, byName, context.caller ?? refuseUnauthenticated());
      const access = context.services.db.ofResource(path);
      const write = (within: Within) => answerBatch(within, plan, { isTagged });
      const answer = await (key === null
        ? write((work) => inUnit(context, { access }, work))
        : once(context, { resource: path, request: keyedRequest(context, key, bytes) }, write));
      return answerOrReplay(answer, {
        show: (json) => showAgain(context, plan.steps.map(tableOf), json),
        recall: (kept) => recallBatch(context, plan, { kept, isTagged }),
      });
    }),
  };
}

/**
 * Runs a batch in one transaction. If it is refused for an unknown reason, runs it again in a mode that determines it.
 */
async function answerBatch(
  within: Within,
  plan: BatchPlan,
  { isTagged }: { readonly isTagged: boolean },
): Promise<KeyedAnswer> {
  const form = { atomic: plan.atomic, isTagged };
  const run = (mode: BatchMode) =>
    within(async (inner, connection) =>
      answerOf(form, await runBatch({ actor: inner, connection }, plan, mode)),
    );
  try {
    if (plan.atomic) return await run("plain");
  } catch (error) {
    if (!needsSavepoints(error)) throw error;
  }
  try {
    return await run("savepoints");
  } catch (error) {
    // The commit refused, so the next run checks deferred constraints after each operation.
    if (tableRefusal(error) === null) throw error;
    return run("immediate");
  }
}

function tableOf(step: Step): Table<never> | null {
  return "definition" in step ? step.definition.table : null;
}
