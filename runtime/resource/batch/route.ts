import type { Transaction } from "../../db/index.js";
import { Refusal } from "../../errors/index.js";
import {
  type Answer,
  type HandledRoute,
  Parameters,
  readJsonBody,
  refusePreconditions,
  refuseUnauthenticated,
} from "../../http/index.js";
import type { Actor } from "../../services/index.js";
import type { ResourceDefinition } from "../definition.js";
import { idempotencyKeyOf, keyedRequest } from "../idempotency/key.js";
import { answerOnce } from "../idempotency/once.js";
import { inUnit } from "../own-code/unit.js";
import { takeEtags } from "../question/asked-list.js";
import { shownAgain } from "../rights/replay.js";
import type { Table } from "../table.js";
import { tagOf } from "../tag.js";
import { readBatch } from "./form.js";
import { type Plan, planBatch, type Step } from "./plan.js";
import { type BatchMode, needsSavepoints, type Outcome, runBatch } from "./run.js";

const path = "/_service/batch";

/** `POST /_service/batch`: several writes to any resources, in one transaction. */
export function batchRoute(definitions: readonly ResourceDefinition[]): HandledRoute {
  const byName = new Map(definitions.map((one) => [one.table.resource, one]));
  return {
    method: "POST",
    path,
    access: "signed-in",
    handle: async (context) => {
      refusePreconditions(context.request);
      const key = idempotencyKeyOf(context);
      const parameters = new Parameters(context.query);
      const isTagged = takeEtags(parameters);
      parameters.finish();
      const { value, bytes } = await readJsonBody(context);
      const plan = planBatch(readBatch(value), byName, context.caller ?? refuseUnauthenticated());
      const access = context.services.db.ofResource(path);
      const request = key === null ? null : keyedRequest(context, key, bytes);
      const run = (mode: BatchMode) => {
        const work = async (inner: Actor, connection: Transaction) =>
          answerOf(plan, await runBatch(inner, connection, plan, mode), isTagged);
        return request === null
          ? inUnit(context, access, work)
          : answerOnce(context, access, request, work, (json) =>
              shownAgain(json, plan.steps.map(tableOf), context.caller),
            );
      };
      if (!plan.atomic) return run("savepoints");
      return run("plain").catch((error: unknown) => {
        if (needsSavepoints(error)) return run("savepoints");
        throw error;
      });
    },
  };
}

function tableOf(step: Step): Table<never> | null {
  return "definition" in step ? step.definition.table : null;
}

function answerOf({ atomic }: Plan, outcomes: readonly Outcome[], isTagged: boolean): Answer {
  const records = outcomes.map((one) => (one instanceof Refusal ? null : one.record));
  const errors = outcomes.flatMap((one, index) =>
    one instanceof Refusal ? [errorOf(one, index)] : [],
  );
  const etags = records.map((record) => (record === null ? null : tagOf(record)));
  const parts = [
    `"data":[${records.map((record) => record?.json ?? "null").join(",")}]`,
    ...(atomic ? [] : [`"errors":${JSON.stringify(errors)}`]),
    ...(isTagged ? [`"etags":${JSON.stringify(etags)}`] : []),
  ];
  return { status: 200, json: `{${parts.join(",")}}` };
}

function errorOf({ status, message, details: { issues, field } }: Refusal, index: number): object {
  return { index, status, error: message, issues, field };
}
