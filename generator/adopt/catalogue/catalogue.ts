/** The tables and views of some schemas, as the catalogues of PostgreSQL describe them, by schema and name. */
export interface Catalogue {
  readonly tables: readonly FoundTable[];
}

export interface FoundTable {
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "partitioned" | "view" | "materialized-view" | "foreign";
  readonly comment: string | null;
  /** Whether policies of row level security bind the connected role. */
  readonly hasRowSecurity: boolean;
  readonly hasRules: boolean;
  /** Whether it is a parent or a child by `inherits`. Partitions are not among the tables at all. */
  readonly inherits: boolean;
  /** Whether a subscription fills it: replicated changes fire no trigger for statements. */
  readonly isReplicated: boolean;
  /** Whether the connected role is the owner, or a member of it. */
  readonly isOwned: boolean;
  readonly rights: readonly TableRight[];
  readonly columns: readonly FoundColumn[];
  readonly constraints: readonly FoundConstraint[];
  readonly indexes: readonly FoundIndex[];
  /** Enabled triggers, without those of constraints. */
  readonly triggers: readonly FoundTrigger[];
}

export type TableRight = "select" | "insert" | "update" | "delete";

export interface FoundColumn {
  /** The column's `attnum`, which other parts of the table refer to. */
  readonly number: number;
  readonly name: string;
  readonly type: FoundType;
  /** False for a domain that refuses null, too. */
  readonly isNullable: boolean;
  /** The SQL expression, of the column or else of its domain; null for none. */
  readonly default: string | null;
  readonly identity: "always" | "by-default" | null;
  readonly isGenerated: boolean;
  readonly comment: string | null;
}

export interface FoundType {
  /** As declared: `sales.email`, `character varying(20)[]`. */
  readonly declared: string;
  /** The type below domains, with its length or precision; of an array, that of its elements. */
  readonly base: string;
  /** `base` as SQL, without a length or precision: `public.citext`, `pg_catalog.varchar`. */
  readonly qualified: string;
  readonly isArray: boolean;
  /** The schema and name of the domain; null for none. */
  readonly domain: string | null;
  /** The values of an enum type in their order; null for other types. */
  readonly values: readonly string[] | null;
}

export interface FoundConstraint {
  readonly name: string;
  readonly kind: "primary" | "unique" | "foreign" | "check" | "exclusion";
  /** Numbers of columns, in the order of the constraint. */
  readonly columns: readonly number[];
  /** `unique (a, b)` as PostgreSQL writes it. */
  readonly definition: string;
  /** What a foreign key refers to; null for others. */
  readonly target: FoundTarget | null;
}

export interface FoundTarget {
  readonly schema: string;
  readonly table: string;
  /** Numbers of the target's columns, in the order of the constraint's own. */
  readonly columns: readonly number[];
  readonly columnNames: readonly string[];
  readonly onDelete: "refuse" | "cascade" | "clear" | "default";
}

export interface FoundIndex {
  readonly name: string;
  readonly isUnique: boolean;
  /** Numbers of the key's columns; 0 stands for an expression. */
  readonly columns: readonly number[];
  readonly isPartial: boolean;
  readonly definition: string;
}

export interface FoundTrigger {
  readonly name: string;
  readonly definition: string;
}
