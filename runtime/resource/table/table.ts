import type { z } from "zod";
import type { ColumnKind } from "./kinds/kinds.js";
import type { TableRule } from "./rule.js";

/**
 * What a resource's handlers need to know about its table; emitted, one for each resource and the same for every
 * caller. What one of them may see of it is a `View`, of which statements are built.
 */
export interface Table<Values, Types = unknown> {
  /** For types only: those of the resource in the app's own code. */
  readonly types?: Types;
  /** The resource's name, as in its path: `order-items`. */
  readonly resource: string;
  /** In words, for messages: `order item`. */
  readonly singular: string;
  /** The table as SQL, quoted where needed. */
  readonly name: string;
  readonly columns: Columns<Values>;
  /** Fields that are unique together; left out where there are none. */
  readonly uniques?: readonly UniqueTogether[];
  readonly queries: Queries;
  /** The table that holds how many rows this one has, as SQL; see `Column.counts`. */
  readonly tally: string;
  /** Who may do what with the records. */
  readonly access: Readonly<Record<Action, TableRule>>;
  /** The owner of records; left out where they have none. */
  readonly owner?: Owner;
  /** Seconds for which caches may keep what callers without a token read; left out where they may not. */
  readonly cache?: number;
  /** How its changes are kept; left out for a resource without `changes`. */
  readonly changes?: TableChanges;
  /** Left out where no membership is kept for the founder of its group. */
  readonly founders?: readonly KeptFounder[];
  /** The links, by the name that queries use; left out where there are none. */
  readonly links?: Readonly<Record<string, RelatedTable>>;
  /** The records that link to one of this table, by the name that queries use; left out where there are none. */
  readonly inverses?: Readonly<Record<string, Required<RelatedTable>>>;
  /** What a delete also deletes by `onDelete: cascade`, parents first; left out where there is nothing. */
  readonly cascades?: readonly Cascade[];
  /** Records that prevent a delete. */
  readonly dependants: readonly Dependant[];
}

/** The other end of a link. */
export interface RelatedTable {
  /** The key of the link: in this table's records, or for an inverse in the other's. */
  readonly field: string;
  /** Omitted where it links to an account. A function, as tables may link to each other in a circle. */
  readonly table?: () => Table<never>;
}

export type Action = "list" | "get" | "stats" | "create" | "update" | "delete";

/** What is kept of changes. */
export interface TableChanges {
  /** Days for which each record's history is kept; null for none. */
  readonly history: number | null;
  /** Who may read histories; left out where those may who may update. */
  readonly access?: TableRule;
}

/** The account, or the members of a group, that a record belongs to. Rules name them as `owner`. */
export interface Owner {
  /**
   * The key of the field by which the record has its owner: a link, or a text with an account's id; `id` where it
   * is the group itself.
   */
  readonly field: string;
  /** The field's column as SQL. */
  readonly column: string;
  /**
   * SQL that is true when the link, itself SQL, leads to what somebody owns: `owns` returns SQL that is true for the
   * account, or the group, at the end. Left out where the link is that.
   */
  readonly leadsTo?: (link: string, owns: (end: string) => string) => string;
  /** `text` where the accounts are those of the app's own sign-in; left out where they are the package's. */
  readonly account?: "text";
  /**
   * The end of an SQL statement, to which `and` can be added: the numbers whose sum is how many rows an `owner`
   * has. Left out where they are not counted.
   */
  readonly counts?: string;
  /** Left out where an account owns a record. */
  readonly team?: Team;
  /** Other tables whose changes give records another owner; left out where none do, or without `changes`. */
  readonly moves?: readonly Mover[];
}

/** A table on the path from records to their owner: a change there may give a record, itself unchanged, another owner. */
export interface Mover {
  readonly resource: string;
  /** The table as SQL. */
  readonly table: string;
  /** The column as SQL that links to the next table; of memberships that of the account. */
  readonly column: string;
  /** As that of the owner, from the column on; left out where the column is the end. */
  readonly leadsTo?: Owner["leadsTo"];
  /** Of memberships the other columns that decide: the group, and the role. */
  readonly members?: readonly string[];
}

/** How the groups of an account are found: records of another resource, memberships, say who belongs to what. */
export interface Team {
  /** A select of the ids of all groups to which the account belongs, to which `and` can be added. */
  readonly groups: (account: string) => string;
  /** By the word of a rule, such as `owner.lead`: SQL that is true for a membership with that role. */
  readonly roles?: Readonly<Record<string, string>>;
  /** Left out where whoever creates a group does not belong to it. */
  readonly founder?: Founder;
}

/** The first membership of a new group. */
export interface Founder {
  readonly table: () => Table<never>;
  readonly shape: Readonly<Record<string, z.ZodType>>;
  /** Its keys. */
  readonly fields: { readonly group: string; readonly account: string; readonly role: string };
  readonly role: string;
}

/** Of memberships: a group keeps at least one with its founder's role. */
export interface KeptFounder {
  /** The table of the groups as SQL. */
  readonly groups: string;
  /** In words, for messages: `team`. */
  readonly singular: string;
  /** Columns of the membership as SQL: its group and its role. */
  readonly group: string;
  readonly column: string;
  readonly role: string;
}

/** Statements on one record, as functions of what differs by caller and request: see `View`. */
export interface Queries {
  /** `$1` is the id; answers the record as `json`, and the `version` of its row. */
  readonly get: (places: RecordPlace & RowPlace) => string;
  /**
   * `$1` is the id, then the values in the order of the table's columns; returns what `get` does, and the `id`.
   * Nothing is written, and no row returned, when another record already has a unique value.
   */
  readonly insert: (places: RecordPlace & RowPlace) => string;
  /** Takes what `insert` does and answers what `get` does, for a stored record. */
  readonly replace: (places: RecordPlace & RowPlace) => string;
  /** `$1` is the id; answers the id. What goes with the record by `onDelete: cascade` is deleted too. */
  readonly delete: (places: RowPlace) => string;
  /** A `with` clause, `$1` is the id: the records that a delete cascades to; left out where there are none. */
  readonly deleted?: string;
}

interface RecordPlace {
  /** SQL expression over one row of the table: the record as it is shown, as JSON text. */
  readonly record: string;
}

interface RowPlace {
  /** SQL that is true where the row may be read or written, besides having that id. */
  readonly row: string;
}

/** By the record's key, in the record's order. */
export type Columns<Values> = {
  readonly [Key in keyof Values | "id" | "createdAt" | "updatedAt"]: Column;
};

export type FieldRule = "nobody" | readonly string[];

export interface Column {
  /** The column as SQL, quoted where needed. */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly required: boolean;
  /** The values of an enum, in the order in which lists sort them; left out for other kinds. */
  readonly values?: readonly string[];
  readonly unique?: UniqueRule;
  /** Of files: that only those may fetch them who may read the record. */
  readonly isPrivate?: true;
  /** Of an optional field: that an index of it has the greatest values first and empty ones last, which no other order has. */
  readonly isDescending?: true;
  /** A string that may be too long to group by. */
  readonly isLong?: true;
  /** Of strings: that they are stored without white space at both ends. */
  readonly trim?: true;
  /** Who, of those who may read the record, may read and write the field; left out where all may. */
  readonly read?: FieldRule;
  readonly write?: FieldRule;
  /** A foreign key of the column; its target is how a value is looked up. */
  readonly link?: Link;
  /**
   * Columns of the tally, one for each value in the values' order (true before false): how many rows
   * hold it. Left out where the tally does not count them.
   */
  readonly counts?: readonly string[];
}

export interface UniqueRule {
  /** The unique index's name, as PostgreSQL reports it. */
  readonly index: string;
  /** SQL that is true for a row holding the value, itself SQL, in the index's own terms. */
  readonly match: Match;
}

/** A rule that no two records share the values of all these fields; records in which one is empty are exempt. */
export interface UniqueTogether {
  /** The unique index's name, as PostgreSQL reports it. */
  readonly index: string;
  /** By the record's key, at least two: SQL that is true for a row holding the value, itself SQL, there. */
  readonly matches: Readonly<Record<string, Match>>;
}

export interface Link {
  /** The foreign key's name, as PostgreSQL reports it. */
  readonly constraint: string;
  /** SQL that is true when the value, itself SQL, names something that exists. */
  readonly match: Match;
}

type Match = (value: string) => string;

/** Records that are deleted with another. */
export interface Cascade {
  /** A function, as tables may link to each other in a circle. */
  readonly table: () => Table<never>;
  /** SQL for their ids, after `Queries.deleted`. */
  readonly ids: string;
}

export interface Dependant {
  readonly table: string;
  /** SQL that is true for a row that must belong to the record `$1`, or to one in `deleted`. */
  readonly match: string;
  /** In words, for messages: `order items`, `order item`. */
  readonly plural: string;
  readonly singular: string;
}

/** The column of a record's key; null for any other word. */
export function columnOf(table: Pick<Table<never>, "columns">, key: string): Column | null {
  return Object.hasOwn(table.columns, key) ? (table.columns[key] ?? null) : null;
}

/** A complete set of values in the order of the columns, which `insert` and `replace` expect. */
export function columnValues<Values extends object>(
  table: Table<Values>,
  values: Values,
): readonly unknown[] {
  // The id comes before the fields, `createdAt` and `updatedAt` after them.
  const keys = Object.keys(table.columns).slice(1, -2) as (keyof Values)[];
  return keys.map((key) => values[key]);
}
