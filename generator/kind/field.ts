import type { Rule } from "../../runtime/values/access-rule.js";
import type { RecordId } from "../../runtime/values/schema/id-types.js";
import type { Link } from "../../runtime/values/schema/schema.js";
import type { ListRules } from "./list/rules.js";

/** `releasedOn` */
export const fieldNamePattern = /^[a-z][A-Za-z0-9]{0,62}$/;

/** `order-items`: lower-case words of letters and digits, separated by single dashes. */
export const resourceNamePattern = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** The properties common to all kinds; each kind's file declares the rest. */
export interface CommonField {
  /** camelCase, as written. */
  readonly name: string;
  /** snake_case, at most 63 bytes, unquoted. */
  readonly column: string;
  readonly label: string | null;
  readonly description: string | null;
  /** Shown below the field's input. */
  readonly help: string | null;
  /** Shown in the field's input while it is empty. */
  readonly placeholder: string | null;
  readonly was: string | null;
  /** Whether a value is never null; a list never is. */
  readonly required: boolean;
  /** Null if values are not lists; if they are, the other properties describe an element. */
  readonly list: ListRules | null;
  readonly access: FieldAccess;
  /** Whether the API never writes the field. */
  readonly readOnly: boolean;
  /** Whether creates may leave the field to the default of its column. */
  readonly columnDefault: boolean;
  /** Null for a stored field. */
  readonly computed: Computed | null;
}

/** How PostgreSQL computes a field that is not stored. */
export interface Computed {
  /** The expression as the descriptor has it. */
  readonly text: string;
  /** SQL of the value, with a placeholder for each column that the expression reads: `{1}` is the first. */
  readonly sql: string;
  /** Names of the fields that the expression reads, in the order of their placeholders. */
  readonly reads: readonly string[];
  readonly isIndexed: boolean;
}

/** Restricts a field to some of the callers who may read or write the record. */
export interface FieldAccess {
  readonly read: Rule;
  readonly write: Rule;
}

/** The linked resource's name and table; the built-in `users` is schema `service`, table `users`. */
export interface LinkTarget {
  readonly resource: string;
  readonly schema: "public" | "service";
  readonly table: string;
  readonly id: RecordId;
}

/** The foreign key of a field that holds the storage key of an upload. */
export const uploadLink: Link = {
  schema: "service",
  table: "uploads",
  column: "key",
  onDelete: "no action",
};
