import type { JsonSchema } from "../../../../values/json-schema/schema.js";

/** Properties of a field's values besides their kind. */
export interface FieldValues {
  /** Whether a value is a list; the other rules are those of its elements. */
  readonly list?: boolean;
  /** The most elements of a list, or links of a list of links. */
  readonly maxItems?: number;
  /** Whether no element may be repeated. */
  readonly distinct?: boolean;
  /** The JSON Schema of a value, without references. */
  readonly schema?: JsonSchema;
  /** The expression of a computed field. */
  readonly computed?: string;
}
