import type { IdType } from "../../../../runtime/values/schema/id-types.js";
import type { FoundColumn, FoundType } from "../../catalogue/catalogue.js";

/** The type of ids that a key column holds; null for a type that ids cannot have. */
export function idTypeOf({ base, isArray, domain, values }: FoundType): IdType | null {
  if (isArray || domain !== null || values !== null) return null;
  if (/^(?:smallint|integer|bigint)$/.test(base)) return "integer";
  if (base === "uuid") return "uuid";
  return textKey.test(base) ? "string" : null;
}

const textKey = /^(?:text|character varying(?:\(\d+\))?|character\(\d+\)|(?:.+\.)?citext)$/;

/** Whether resources can have the column as their id. */
export function isKey({ type }: FoundColumn): boolean {
  return idTypeOf(type) !== null;
}

/** Why the column cannot be the id, for a column that is unique and never null. */
export function keyProblem({ name, type }: FoundColumn): string {
  return `the key ${name} is ${type.declared}, and ids are integers, uuid or text`;
}
