import { Refusal } from "../../errors/index.js";
import type { KeyedAnswer } from "../idempotency/kept-answers.js";
import { tagOf } from "../record/tag.js";
import type { BatchPlan } from "./plan.js";
import type { Outcome } from "./run.js";

/** The response to one operation of a batch. */
export type Part =
  | { readonly kind: "record"; readonly json: string; readonly etag: string }
  | { readonly kind: "deleted" }
  | { readonly kind: "refused"; readonly status: number; readonly error: object };

type Form = Pick<BatchPlan, "atomic"> & { readonly isTagged: boolean };

/** Creates the response to a batch, with the data stored in addition to its body. */
export function answerOf(form: Form, done: readonly Outcome[]): KeyedAnswer {
  const parts = done.map((outcome): Part => {
    if (outcome instanceof Refusal) {
      return { kind: "refused", status: outcome.status, error: errorOf(outcome) };
    }
    const { record } = outcome;
    if (record === null) return { kind: "deleted" };
    return { kind: "record", json: record.json, etag: tagOf(record) };
  });
  const outcomes = done.map((outcome) => {
    if (outcome instanceof Refusal) return outcome.status;
    return outcome.record === null ? null : outcome.id;
  });
  return { status: 200, json: batchJson(form, parts), outcomes: JSON.stringify(outcomes) };
}

export function batchJson({ atomic, isTagged }: Form, parts: readonly Part[]): string {
  const errors = parts.flatMap((part, index) =>
    part.kind === "refused" ? [{ index, status: part.status, ...part.error }] : [],
  );
  const etags = parts.map((part) => (part.kind === "record" ? part.etag : null));
  const members = [
    `"data":[${parts.map((part) => (part.kind === "record" ? part.json : "null")).join(",")}]`,
    ...(atomic ? [] : [`"errors":${JSON.stringify(errors)}`]),
    ...(isTagged ? [`"etags":${JSON.stringify(etags)}`] : []),
  ];
  return `{${members.join(",")}}`;
}

function errorOf({ message, details: { issues, field, record } }: Refusal): object {
  return { error: message, issues, field, ...record };
}
