import { type Transaction, tableRefusal } from "../../db/index.js";
import {
  type HandledRoute,
  Parameters,
  readJsonBody,
  refusePreconditions,
  refuseUnauthenticated,
  takesQuery,
} from "../../http/index.js";
import type { Actor } from "../../own-code/index.js";
import { idempotencyKeyOf } from "../idempotency/key.js";
import { once } from "../idempotency/once.js";
import { answerOrReplay } from "../idempotency/repeat.js";
import { showAgain } from "../idempotency/show.js";
import { inUnit } from "../own-code/unit.js";
import { resourcesByName } from "../table/by-name.js";
import type { ResourceDefinition } from "../table/definition.js";
import type { Table } from "../table/table.js";
import { answerOf } from "./answer.js";
import { readBatch } from "./form.js";
import { planBatch, type Step } from "./plan.js";
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
      const form = { atomic: plan.atomic, isTagged };
      const run = (mode: BatchMode) => {
        const work = async (inner: Actor, connection: Transaction) =>
          answerOf(form, await runBatch({ actor: inner, connection }, plan, mode));
        if (key === null) return inUnit(context, { access }, work);
        return once(context, { key, bytes, access }, work);
      };
      const runExplained = () =>
        run("savepoints").catch((error: unknown) => {
          // Only the commit can refuse here, so the next run checks deferred constraints after each operation.
          if (tableRefusal(error) === null) throw error;
          return run("immediate");
        });
      const runPlain = () =>
        run("plain").catch((error: unknown) => {
          if (needsSavepoints(error)) return runExplained();
          throw error;
        });
      const answer = await (plan.atomic ? runPlain() : runExplained());
      return answerOrReplay(answer, {
        show: (json) => showAgain(context, plan.steps.map(tableOf), json),
        recall: (kept) => recallBatch(context, plan, { kept, isTagged }),
      });
    }),
  };
}

function tableOf(step: Step): Table<never> | null {
  return "definition" in step ? step.definition.table : null;
}
