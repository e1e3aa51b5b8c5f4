import type { Conditional, Rule } from "../../values/access-rule.js";

/** A rule with its conditions as SQL. */
export type TableRule = Rule<TableEntry>;

/** An entry of a rule with conditions on the record. */
export interface TableEntry extends Conditional {
  /** `where` as SQL: true for a row, given as SQL, that meets it. */
  readonly stored?: EntryCondition;
  /** `check` as SQL. */
  readonly written?: EntryCondition;
  /** The only condition of `where`, if it compares a field with a single value. */
  readonly equal?: { readonly field: string; readonly value: string };
}

/** `account` returns SQL for the id of the caller's account. */
type EntryCondition = (row: string, account: () => string) => string;

/** A table on the path of a condition. */
export interface PathTable {
  readonly resource: string;
  /** The table as SQL, and its columns that lead along the path. */
  readonly table: string;
  readonly columns: readonly string[];
  readonly key?: LoggedKey;
}

/** The ids of a table whose changes are logged; omitted for UUIDs in a column `id`. */
export interface LoggedKey {
  /** The column as SQL. */
  readonly column: string;
  readonly type: "uuid" | "bigint" | "text";
}

/** How changes are stored. */
export interface TableChanges {
  /** The number of days for which each record's history is stored; null for none. */
  readonly history: number | null;
  /** Who may read histories; by default callers who may update. */
  readonly access?: TableRule;
}

interface DeleteRules {
  readonly access: { readonly delete: TableRule };
  readonly trash?: { readonly purge?: TableRule };
}

/** Who may delete records permanently. */
export function purgeRule({ trash, access }: DeleteRules): TableRule {
  return trash?.purge ?? access.delete;
}

/** Who may delete records, permanently or not; the write itself checks the one of the two rules that applies. */
export function deleteRule({ trash, access }: DeleteRules): TableRule {
  return trash?.purge === undefined ? access.delete : eitherRule(access.delete, trash.purge);
}

function eitherRule(one: TableRule, other: TableRule): TableRule {
  if (one === "signed-in" || other === "signed-in") return "signed-in";
  if (one === "nobody") return other;
  return other === "nobody" ? one : [...one, ...other];
}

/** A unique field: no two records may have the same value. */
export interface UniqueRule {
  /** The unique index's name, as PostgreSQL reports it. */
  readonly index: string;
  /** For strings: values that differ only in letter case count as equal. */
  readonly anyCase?: true;
  /** SQL that is true for a row with the value, given as SQL, by the index's own expression. */
  readonly match: (value: string) => string;
}

/**
 * The columns of entries with the record's id (its column in its own table is `key`) and the target's id (`targetKey`).
 */
export interface EntryColumns {
  readonly key: string;
  readonly record: string;
  readonly target: string;
  readonly targetKey: string;
}

/** The rows of a list of links or files: usually `record_id`, `target_id` and `position`. */
export interface Entries {
  /** Their table as SQL. */
  readonly table: string;
  /** The name of the foreign key to the targets, as PostgreSQL reports it. */
  readonly constraint: string;
  /** The table of the targets as SQL. */
  readonly target: string;
  /** The columns in a table of another application, as SQL; omitted for the app's own entries. */
  readonly columns?: EntryColumns;
  /** For files: SQL that is true if the value, given as SQL, is the key of a file uploaded for the field. */
  readonly match?: Match;
}

/** The index of words in a table's records. */
export interface TableWords<Table> {
  /** The table with the words as SQL. */
  readonly name: string;
  /** The fields that contain the words; `category.name` is a field of the linked record. */
  readonly fields: Readonly<Record<string, WordsField<Table>>>;
}

export interface WordsField<Table> {
  /** The same number for fields with the same readers. */
  readonly group: number;
  /** For a field of the linked record: the link, and the field there. */
  readonly link?: string;
  readonly field?: string;
  readonly table?: () => Table;
}

/** Several fields that are unique together; records in which one of them is empty are exempt. */
export interface UniqueTogether {
  /** The unique index's name, as PostgreSQL reports it. */
  readonly index: string;
  /** For at least two fields, by key: SQL that is true for a row with the value, given as SQL, in that field. */
  readonly matches: Readonly<Record<string, Match>>;
}

export type Match = (value: string) => string;

/** A column of times without a time zone, in an adopted table. */
export interface LocalTime {
  /** The column's name as SQL, quoted if necessary. */
  readonly column: string;
  readonly timezone: string;
}

export interface Link {
  /** The foreign key's name, as PostgreSQL reports it. */
  readonly constraint: string;
  /** SQL that is true if the value, given as SQL, refers to an existing row. */
  readonly match: Match;
}
