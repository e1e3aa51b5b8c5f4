import type { Rule } from "../../runtime/values/access-rule.js";
import type { RecordId } from "../../runtime/values/schema/id-types.js";
import type { Link } from "../../runtime/values/schema/schema.js";
import type { ListRules } from "./list/rules.js";

/** Matches a name such as `releasedOn`. */
export const fieldNamePattern = /^[a-z][A-Za-z0-9]{0,62}$/;

/** Matches a name such as `order-items`: lower-case words of letters and digits, separated by single dashes. */
export const resourceNamePattern = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** The properties common to all kinds; each kind's file declares the rest. */
export interface CommonField {
  /** In camelCase, as written. */
  readonly name: string;
  /** In snake_case, at most 63 bytes, unquoted. */
  readonly column: string;
  readonly label: string | null;
  readonly description: string | null;
  /** Shown below the field's input. */
  readonly help: string | null;
  /** Shown in the field's empty input. */
  readonly placeholder: string | null;
  readonly was: string | null;
  /** Whether values are never null. Lists never are. */
  readonly required: boolean;
  /** Null if values are not lists; otherwise, the other properties describe an element. */
  readonly list: ListRules | null;
  readonly access: FieldAccess;
  /** Whether the API never writes the field. */
  readonly readOnly: boolean;
  /** Whether create requests may omit the field, so that the default of its column applies. */
  readonly columnDefault: boolean;
  /** Null for a stored field. */
  readonly computed: Computed | null;
}

/** How PostgreSQL computes a field that is not stored. */
export interface Computed {
  /** The expression in the descriptor. */
  readonly text: string;
  /** SQL of the value, with a placeholder for each column that the expression reads: `{1}` is the first. */
  readonly sql: string;
  /** Names of the fields that the expression reads, in the order of their placeholders. */
  readonly reads: readonly string[];
  readonly isIndexed: boolean;
}

/** Restricts a field to some of the callers who can read or write the record. */
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

/** The foreign key of a field that contains the storage key of an upload. */
export const uploadLink: Link = {
  schema: "service",
  table: "uploads",
  column: "key",
  onDelete: "no action",
};
