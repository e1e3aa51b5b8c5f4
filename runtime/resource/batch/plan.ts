import { type BodyIssue, maxIssues, Refusal } from "../../errors/index.js";
import { isAllowed, refusalByRule } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import { checkBody } from "../rights/body.js";
import { formIssues } from "../table/body.js";
import type { ResourcesByName } from "../table/by-name.js";
import { idFormOf } from "../table/column-keys.js";
import type { Action, ResourceDefinition } from "../table/definition.js";
import { purgeRule } from "../table/rule.js";
import { type Batch, type Operation, refuseForm } from "./form.js";
import { checkReferences, resolved } from "./references.js";
import { findRule, requireBy } from "./upsert.js";

/** A batch with checked references and access rules. */
export interface BatchPlan {
  readonly atomic: boolean;
  readonly steps: readonly Step[];
  readonly caller: Caller;
}

/** An operation that may run, or its refusal. */
export type Step = OpenStep | { readonly operation: Operation; readonly refusal: Refusal };

export interface OpenStep {
  readonly operation: Operation;
  readonly definition: ResourceDefinition;
}

const actions: Readonly<Record<Operation["kind"], readonly Action[]>> = {
  create: ["create"],
  update: ["update"],
  upsert: ["create", "update"],
  delete: ["delete"],
  restore: ["delete"],
};

/**
 * Checks the access rules of a batch before anything runs: an atomic batch fails with the first refusal (403, or 404
 * for an unknown resource). Throws 400 for invalid references and an invalid `by`.
 */
export function planBatch(
  { atomic, operations: sent }: Batch,
  definitions: ResourcesByName,
  caller: Caller,
): BatchPlan {
  // Locks and references compare the names of resources.
  const operations = sent.map((one): Operation => {
    return { ...one, resource: definitions.get(one.resource)?.table.resource ?? one.resource };
  });
  const steps = operations.map((operation, index): Step => {
    const definition = definitions.get(operation.resource);
    if (definition === undefined)
      return refuse(definitions.unknown(operation.resource), operation, index);
    const refusal = refusalOf(operation, definition, caller);
    return refusal === null ? { operation, definition } : refuse(refusal, operation, index);
  });
  operations.forEach((operation, index) => {
    const definition = definitions.get(operation.resource);
    if (definition === undefined) return;
    const { table } = definition;
    checkReferences(operations, index, table);
    if (table.trash === undefined && isOfTrash(operation)) {
      refuseForm(`${table.resource} has no trash`, index);
    }
    if (operation.kind === "upsert" && findRule(table, operation.by) === null) {
      refuseForm(`"${operation.by.join("+")}" is not unique`, index);
    }
  });
  return { atomic, steps, caller };

  function refuse(refusal: Refusal, operation: Operation, index: number): Step {
    if (atomic) throw withIndex(refusal, index);
    return { operation, refusal };
  }
}

function isOfTrash(operation: Operation): boolean {
  return operation.kind === "restore" || (operation.kind === "delete" && operation.skipsTrash);
}

function refusalOf(
  operation: Operation,
  { access, table }: ResourceDefinition,
  caller: Caller,
): Refusal | null {
  const isPurge = operation.kind === "delete" && operation.skipsTrash;
  const rules = isPurge
    ? [purgeRule(table)]
    : actions[operation.kind].map((action) => access[action]);
  const rule = rules.find((one) => !isAllowed(caller, one));
  return rule === undefined ? null : refusalByRule(caller, rule);
}

/** Adds the index of its operation to a refusal. */
export function withIndex(
  { code, details }: Refusal,
  index: number,
  later: readonly BodyIssue[] = [],
): Refusal {
  const own = details.issues?.slice(0, maxIssues).map((issue) => ({ index, ...issue }));
  return new Refusal(code, { ...details, index, ...(own && { issues: [...own, ...later] }) });
}

/** Returns the refusals of later operations that can be determined without the database. */
export function issuesAfter({ steps, caller }: BatchPlan, index: number): BodyIssue[] {
  const issues: BodyIssue[] = [];
  // Any valid id works: the record's existence is not checked here.
  const ids = steps.map((step) => ("definition" in step ? exampleId(step) : ""));
  for (let at = index + 1; at < steps.length && issues.length <= maxIssues; at += 1) {
    const step = steps[at];
    if (step === undefined || !("definition" in step)) continue;
    issues.push(...stepIssues(step, { ids, caller }).map((issue) => ({ index: at, ...issue })));
  }
  return issues;
}

function exampleId({ definition }: OpenStep): string {
  return idFormOf(definition.table).example;
}

function stepIssues(
  { operation, definition: { table, shapes } }: OpenStep,
  { ids, caller }: { readonly ids: readonly string[]; readonly caller: Caller },
): BodyIssue[] {
  if (!("values" in operation)) return [];
  const body = resolved(table, operation.values, ids);
  if (operation.kind === "create") {
    return formIssues(checkBody(table, "create", { shape: shapes.create, body, caller }));
  }
  const checked = checkBody(table, operation.kind, { shape: shapes.update, body, caller });
  if (operation.kind === "update") return formIssues(checked);
  return formIssues(requireBy(checked, findRule(table, operation.by)));
}
