import type { JsonSchema } from "../../../../values/json-schema/schema.js";

/** Properties of a field's values in addition to their kind. */
export interface FieldValues {
  /** Whether a value is a list; the other properties then apply to its elements. */
  readonly list?: boolean;
  /** Maximum number of elements of a list, or of links in a list of links. */
  readonly maxItems?: number;
  /** Whether every element must be different. */
  readonly distinct?: boolean;
  /** The JSON Schema of a value, without references. */
  readonly schema?: JsonSchema;
  /** The expression of a computed field. */
  readonly computed?: string;
}
