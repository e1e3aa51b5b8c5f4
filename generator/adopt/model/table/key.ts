import type { IdType } from "../../../../runtime/values/schema/id-types.js";
import type { FoundColumn, FoundType } from "../../catalogue/catalogue.js";

/** Returns the type of id that a key column holds; null for a type that ids cannot have. */
export function idTypeOf({ base, isArray, domain, values }: FoundType): IdType | null {
  if (isArray || domain !== null || values !== null) return null;
  if (/^(?:smallint|integer|bigint)$/.test(base)) return "integer";
  if (base === "uuid") return "uuid";
  return textKey.test(base) ? "string" : null;
}

const textKey = /^(?:text|character varying(?:\(\d+\))?|character\(\d+\)|(?:.+\.)?citext)$/;

/** Whether the column can be a resource's id. */
export function isKey({ type }: FoundColumn): boolean {
  return idTypeOf(type) !== null;
}

/** Returns the reason why a column that is unique and never null cannot be the id. */
export function keyProblem({ name, type }: FoundColumn): string {
  return `the key ${name} is ${type.declared}, but ids must be integers, uuid or text`;
}
