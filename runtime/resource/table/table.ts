import type { z } from "zod";
import type { ColumnKind } from "./kinds/kinds.js";
import type {
  Entries,
  Link,
  LocalTime,
  LoggedKey,
  PathTable,
  TableChanges,
  TableRule,
  TableWords,
  UniqueRule,
  UniqueTogether,
} from "./rule.js";

/** The table of a resource, generated for its handlers. The part of it that a caller may see is a `View`. */
export interface Table<Values, Types = unknown> {
  /** For types only: the resource's types in app code. */
  readonly types?: Types;
  /** The resource's name, as in its path: `order-items`. */
  readonly resource: string;
  /** The name in words, for messages: `order item`. */
  readonly singular: string;
  /** The table as SQL, quoted if necessary. */
  readonly name: string;
  readonly columns: Columns<Values>;
  /** Unique combinations of fields; omitted if there are none. */
  readonly uniques?: readonly UniqueTogether[];
  readonly queries: Queries;
  /** The table with this table's row counts, as SQL; see `Column.counts`. */
  readonly tally: string;
  /** Access rules by action. */
  readonly access: Readonly<Record<Action, TableRule>>;
  /** The owner of records; omitted if they have none. */
  readonly owner?: Owner;
  /** Set if the table existed before the app, which therefore checks it at each start. */
  readonly adopted?: true;
  /** Set for a view or a partitioned table: statements return no version of a written row. */
  readonly unversioned?: true;
  /** Seconds for which caches may store responses to anonymous callers; omitted if they may not. */
  readonly cache?: number;
  /** How changes are stored; omitted for a resource without `changes`. */
  readonly changes?: TableChanges;
  /** How deleted records are stored; omitted if deletes are permanent. */
  readonly trash?: TableTrash;
  /** The index for full-text search; omitted if there is none. */
  readonly words?: TableWords<Table<never>>;
  /** Other tables on which the conditions for listing the records depend; omitted if there are none. */
  readonly paths?: readonly PathTable[];
  /** Memberships to keep for the founder of a group; omitted if there are none. */
  readonly founders?: readonly KeptFounder[];
  /** The links, by their names in queries; omitted if there are none. */
  readonly links?: Readonly<Record<string, RelatedTable>>;
  /** The records that link to this table, by their names in queries; omitted if there are none. */
  readonly inverses?: Readonly<Record<string, Required<RelatedTable>>>;
  /** Tables from which a delete also deletes by `onDelete: cascade`, parents first; omitted if there are none. */
  readonly cascades?: readonly Cascade[];
  /** Records that prevent a delete. */
  readonly dependants: readonly Dependant[];
}

/** How deleted records are stored. */
export interface TableTrash {
  readonly days: number;
  /** Who may delete records permanently; omitted if all callers who may delete may do this. */
  readonly purge?: TableRule;
  /** Tables with a trash that decide which deleted records a caller may see; omitted if there are none. */
  readonly path?: () => readonly Table<never>[];
}

/** The other end of a link. */
export interface RelatedTable {
  /** The key of the link: in this table's records, or in those of the other table for an inverse. */
  readonly field: string;
  /** Omitted for a link to an account. A function, since links may be circular. */
  readonly table?: () => Table<never>;
}

export type Action = "list" | "get" | "stats" | "create" | "update" | "delete";

/** The account or group to which a record belongs, called `owner` in rules. */
export interface Owner {
  /**
   * The key of the field that leads to the owner: a link, or a text with an account's id; `id` if the record is the
   * group itself.
   */
  readonly field: string;
  /** The field's column as SQL. */
  readonly column: string;
  /**
   * SQL that is true if the link, given as SQL, leads to an owned record; `owns` returns SQL that is true for the
   * account or group at the end of the path. Omitted if the link leads directly to the owner.
   */
  readonly leadsTo?: (link: string, owns: (end: string) => string) => string;
  /** `text` if account ids are texts, as with custom authentication; omitted for built-in accounts. */
  readonly account?: "text";
  /**
   * The end of an SQL statement, to which `and` can be added: numbers whose sum is the row count of an owner. Omitted
   * if rows are not counted by owner.
   */
  readonly counts?: string;
  /** Omitted if accounts own records. */
  readonly team?: Team;
  /** Other tables whose changes can give records another owner; omitted if there are none, or without `changes`. */
  readonly moves?: readonly Mover[];
}

/** A table on the path from records to their owner: a change there may give an unchanged record another owner. */
export interface Mover {
  readonly resource: string;
  readonly table: string;
  /** The column, as SQL, that links to the next table; for memberships, that of the account. */
  readonly column: string;
  /** Like `Owner.leadsTo`, from this column on; omitted if the column is the end of the path. */
  readonly leadsTo?: Owner["leadsTo"];
  /** For memberships, the other columns that matter: the group and the role. */
  readonly members?: readonly string[];
  readonly key?: LoggedKey;
}

/** How to find the groups of an account: memberships, which are records of another resource, connect the two. */
export interface Team {
  /** A `select` of the ids of all groups to which the account belongs, to which `and` can be added. */
  readonly groups: (account: string) => string;
  /** By the term in a rule, such as `owner.lead`: SQL that is true for a membership with that role. */
  readonly roles?: Readonly<Record<string, string>>;
  /** Omitted if the creator of a group does not become a member. */
  readonly founder?: Founder;
}

/** The first membership of a new group. */
export interface Founder {
  readonly table: () => Table<never>;
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly fields: { readonly group: string; readonly account: string; readonly role: string };
  readonly role: string;
}

/** For memberships: a group must keep at least one with its founder's role. */
export interface KeptFounder {
  /** The table of the groups as SQL. */
  readonly groups: string;
  /** The name of a group in words, for messages: `team`. */
  readonly singular: string;
  /** The membership's columns for the group and the role, as SQL. */
  readonly group: string;
  readonly column: string;
  readonly role: string;
}

/** Statements on one record, as functions of the parts that differ by caller and request; see `View`. */
export interface Queries {
  /** `$1` is the id; returns the record as `json`, and the `version` of its row. */
  readonly get: (places: RecordPlace & RowPlace) => string;
  /**
   * `$1` is the id, followed by the values in the order of the table's columns; returns the columns of `get`, and the
   * `id`. If another record already has a unique value, it writes nothing and returns no row.
   */
  readonly insert: (places: RecordPlace & RowPlace) => string;
  /** Takes the parameters of `insert` and returns the columns of `get`, for a stored record. */
  readonly replace: (places: RecordPlace & RowPlace) => string;
  /** `$1` is the id; returns the id. Also deletes records by `onDelete: cascade`. */
  readonly delete: (places: RowPlace) => string;
  /** A `with` clause, in which `$1` is the id: the records to which a delete cascades; omitted if there are none. */
  readonly deleted?: string;
}

interface RecordPlace {
  /** SQL over one row of the table: the returned record as JSON text. */
  readonly record: string;
}

interface RowPlace {
  /** SQL that is true if the row may be read or written, apart from the test of its id. */
  readonly row: string;
}

/** Columns by the record's keys, in the record's order, including computed fields. */
export type Columns<Values> = {
  readonly [Key in keyof Values | "id" | "createdAt" | "updatedAt"]: Column;
} & Readonly<Record<string, Column>>;

export type FieldRule = "nobody" | readonly string[];

export interface Column {
  /** The column's name as SQL, quoted if necessary; for a computed field or a local time, its expression over a row. */
  readonly name: string;
  /** Set for times that are stored without a time zone. */
  readonly local?: LocalTime;
  readonly kind: ColumnKind;
  readonly required: boolean;
  /** The values of an enum, in the order in which lists sort them; omitted for other kinds. */
  readonly values?: readonly string[];
  readonly unique?: UniqueRule;
  /** For files: only callers who may read the record may download them. */
  readonly isPrivate?: true;
  /** For an optional field: its index has the greatest values first and empty ones last, unlike any other order. */
  readonly isDescending?: true;
  /** Set for a string that may be too long to group by. */
  readonly isLong?: true;
  /** For strings: stored without surrounding white space. */
  readonly trim?: true;
  /** Which of the callers who may read the record may read and write the field; omitted if all may. */
  readonly read?: FieldRule;
  readonly write?: FieldRule;
  /** Who generates the id, if not the app: the database, or the caller who creates the record. */
  readonly made?: "database" | "caller";
  /** Set if only the database writes the column. */
  readonly readOnly?: true;
  /** Set if the column's default applies to a field that a create omits. */
  readonly columnDefault?: true;
  /** The type of an adopted column to which statements cast its values; omitted if PostgreSQL infers it. */
  readonly cast?: string;
  /** Set for a `createdAt` or `updatedAt` that the records do not have: it is always empty. */
  readonly missing?: true;
  /** The keys of the fields that a computed field reads; omitted for stored fields. */
  readonly computed?: readonly string[];
  /** Set for an adopted link that may refer to a missing record. */
  readonly dangling?: true;
  /** The foreign key of the column, in whose target values are looked up. */
  readonly link?: Link;
  /** Set for links in a table of another application: the column is an expression over that table. */
  readonly through?: true;
  /** The entries of a list of links or files, which the column has in order; omitted for other columns. */
  readonly entries?: Entries;
  /** The tally's columns with the row count of each value, in order (true before false); omitted if not counted. */
  readonly counts?: readonly string[];
}

/** Records that are deleted together with another one. */
export interface Cascade {
  readonly table: () => Table<never>;
  /** SQL for their ids, after `Queries.deleted`. */
  readonly ids: string;
}

export interface Dependant {
  readonly table: string;
  /** SQL for rows that prevent the deletion of record `$1`: they refer to it or to a record in `deleted`. */
  readonly match: string;
  /** The names in words, for messages: `order items`, `order item`. */
  readonly plural: string;
  readonly singular: string;
}

/** Returns the column with this key; null if there is none. */
export function columnOf(table: Pick<Table<never>, "columns">, key: string): Column | null {
  return Object.hasOwn(table.columns, key) ? (table.columns[key] ?? null) : null;
}
