/** The tables and views of some schemas, from PostgreSQL's system catalogs, by schema and name. */
export interface Catalogue {
  readonly tables: readonly FoundTable[];
}

export interface FoundTable {
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "partitioned" | "view" | "materialized-view" | "foreign";
  readonly comment: string | null;
  /** Whether row-level security applies to the connected role. */
  readonly hasRowSecurity: boolean;
  readonly hasRules: boolean;
  /** Whether the table is a parent or a child by `inherits`. Partitions are not listed as tables. */
  readonly inherits: boolean;
  /** Whether a subscription fills the table: replicated changes fire no statement triggers. */
  readonly isReplicated: boolean;
  /** Whether the connected role is the owner, or a member of the owning role. */
  readonly isOwned: boolean;
  readonly rights: readonly TableRight[];
  readonly columns: readonly FoundColumn[];
  readonly constraints: readonly FoundConstraint[];
  readonly indexes: readonly FoundIndex[];
  /** Enabled triggers, except those of constraints. */
  readonly triggers: readonly FoundTrigger[];
}

export type TableRight = "select" | "insert" | "update" | "delete";

export interface FoundColumn {
  /** The column's `attnum`, which other parts of the table refer to. */
  readonly number: number;
  readonly name: string;
  readonly type: FoundType;
  /** Also false for a domain that does not allow null. */
  readonly isNullable: boolean;
  /** The SQL expression of the column or else of its domain; null for none. */
  readonly default: string | null;
  readonly identity: "always" | "by-default" | null;
  readonly isGenerated: boolean;
  readonly comment: string | null;
}

export interface FoundType {
  /** The declared type: `sales.email`, `character varying(20)[]`. */
  readonly declared: string;
  /** The type underlying any domains, with its length or precision; for an array, its element type. */
  readonly base: string;
  /** `base` as SQL, without a length or precision: `public.citext`, `pg_catalog.varchar`. */
  readonly qualified: string;
  readonly isArray: boolean;
  /** The schema and name of the domain; null for none. */
  readonly domain: string | null;
  /** The values of an enum type, in their declared order; null for other types. */
  readonly values: readonly string[] | null;
}

export interface FoundConstraint {
  readonly name: string;
  readonly kind: "primary" | "unique" | "foreign" | "check" | "exclusion";
  /** Column numbers, in the order of the constraint. */
  readonly columns: readonly number[];
  /** The definition as PostgreSQL prints it, such as `unique (a, b)`. */
  readonly definition: string;
  /** The referenced table of a foreign key; null for other constraints. */
  readonly target: FoundTarget | null;
}

export interface FoundTarget {
  readonly schema: string;
  readonly table: string;
  /** Column numbers of the referenced table, in the order of the constraint's columns. */
  readonly columns: readonly number[];
  readonly columnNames: readonly string[];
  readonly onDelete: "refuse" | "cascade" | "clear" | "default";
}

export interface FoundIndex {
  readonly name: string;
  readonly isUnique: boolean;
  /** Numbers of the indexed columns; 0 stands for an expression. */
  readonly columns: readonly number[];
  readonly isPartial: boolean;
  readonly definition: string;
}

export interface FoundTrigger {
  readonly name: string;
  readonly definition: string;
}
