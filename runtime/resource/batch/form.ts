import { refuse } from "../../errors/index.js";
import { type JsonObject, type Precondition, readPrecondition } from "../../http/index.js";
import { maxOperations } from "../../values/api/batch.js";

/** A well-formed batch as it was sent. */
export interface Batch {
  /** Whether either all operations are done or none; otherwise each succeeds or fails separately. */
  readonly atomic: boolean;
  readonly operations: readonly Operation[];
}

export type Operation =
  | { readonly kind: "create"; readonly resource: string; readonly values: JsonObject }
  | {
      readonly kind: "upsert";
      readonly resource: string;
      readonly values: JsonObject;
      /** A unique field or a unique combination of fields, with the names in the request. */
      readonly by: readonly string[];
    }
  | {
      readonly kind: "update";
      readonly resource: string;
      readonly id: string;
      readonly values: JsonObject;
      readonly ifMatch: Precondition;
    }
  | {
      readonly kind: "delete";
      readonly resource: string;
      readonly id: string;
      readonly ifMatch: Precondition;
      /** Whether the delete is permanent, for a current record or one in the trash. */
      readonly skipsTrash: boolean;
    }
  | { readonly kind: "restore"; readonly resource: string; readonly id: string };

/** The keys allowed for each kind of operation, in addition to the common ones. */
const members = {
  create: ["values"],
  update: ["id", "values", "ifMatch"],
  upsert: ["by", "values"],
  delete: ["id", "ifMatch", "trash"],
  restore: ["id"],
} as const;

/** Parses the body of a batch; 400 if it is malformed, with the `index` of a malformed operation. */
export function readBatch(body: JsonObject): Batch {
  const { operations, atomic = true, ...others } = body;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuseForm(`"${unknown}" is not part of a batch`);
  if (typeof atomic !== "boolean") refuseForm('"atomic" must be true or false');
  if (!Array.isArray(operations) || operations.length < 1 || operations.length > maxOperations) {
    return refuseForm(`"operations" must be a list of 1 to ${maxOperations} operations`);
  }
  return { atomic, operations: operations.map(readOperation) };
}

function readOperation(sent: unknown, index: number): Operation {
  if (!isObject(sent)) return refuseForm("An operation must be an object", index);
  const kinds = (["create", "update", "upsert", "delete", "restore"] as const).filter((kind) =>
    Object.hasOwn(sent, kind),
  );
  const [kind, ...more] = kinds;
  if (kind === undefined || more.length > 0) {
    return refuseForm("An operation has one of: create, update, upsert, delete, restore", index);
  }
  const allowed: readonly string[] = [kind, ...members[kind]];
  const unknown = Object.keys(sent).find((key) => !allowed.includes(key));
  if (unknown !== undefined) refuseForm(`"${unknown}" is not part of ${kind}`, index);
  const resource = text(sent, kind, index);
  switch (kind) {
    case "create":
      return { kind, resource, values: valuesOf(sent, index) };
    case "upsert":
      return {
        kind,
        resource,
        values: valuesOf(sent, index),
        by: text(sent, "by", index).split("+"),
      };
    case "update": {
      const target = { id: text(sent, "id", index), ifMatch: ifMatchOf(sent, index) };
      return { kind, resource, values: valuesOf(sent, index), ...target };
    }
    case "delete":
      return {
        ...{ kind, resource, id: text(sent, "id", index), ifMatch: ifMatchOf(sent, index) },
        skipsTrash: skipsTrash(sent, index),
      };
    case "restore":
      return { kind, resource, id: text(sent, "id", index) };
  }
}

function text(sent: JsonObject, key: string, index: number): string {
  const value = sent[key];
  return typeof value === "string" ? value : refuseForm(`"${key}" must be a string`, index);
}

function skipsTrash({ trash }: JsonObject, index: number): boolean {
  if (trash !== undefined && trash !== "skip") refuseForm('"trash" must be "skip"', index);
  return trash === "skip";
}

function valuesOf({ values }: JsonObject, index: number): JsonObject {
  return isObject(values) ? values : refuseForm('"values" must be an object', index);
}

function ifMatchOf({ ifMatch }: JsonObject, index: number): Precondition {
  if (ifMatch === undefined) return null;
  const condition = typeof ifMatch === "string" ? readPrecondition(ifMatch) : undefined;
  if (condition !== undefined) return condition;
  return refuseForm('"ifMatch" must be "*" or a list of entity tags', index);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Refuses with 400 and the index of the malformed operation. */
export function refuseForm(error: string, index?: number): never {
  return refuse("BAD_REQUEST", { error, ...(index !== undefined && { index }) });
}
