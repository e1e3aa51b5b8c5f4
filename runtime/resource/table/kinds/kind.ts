import type { Aggregation } from "../../../values/aggregations.js";
import { cellWords } from "../../../values/files/cell-words.js";
import type { Comparisons } from "../../../values/operators.js";
import type { IdType } from "../../../values/schema/id-types.js";
import type { Addition } from "./value/addition.js";
import { exactSum, type Sum } from "./value/sum.js";

/**
 * The runtime's properties of one kind of column. A kind spreads `kindDefaults` first and overrides what differs;
 * `kinds.ts` lists them all.
 */
export interface Kind {
  /** The type in `create table`, without lengths and digits, which constraints of the table check. */
  readonly sqlType: string;
  /** The type of ids, if values are ids of records, or lists of them; null for other values. */
  readonly idType: IdType | null;
  /** The type of a value in JSON. */
  readonly json: "string" | "number" | "boolean";
  /** Whether some numbers are shown as texts, so that queries may have texts as well. */
  readonly showsText: boolean;

  /** The allowed comparisons of its values; null if lists are neither filtered nor sorted by them. */
  readonly comparisons: Comparisons | null;
  /** Whether `where` can use members inside values, with `has` and `at`. */
  readonly hasMembers: boolean;
  /** SQL for a value as `jsonb`, if it has members. */
  members(value: string): string;
  /** Parses the text of `filter[field]`. */
  readonly read: ReadValue;
  /** Parses the operand of an operator or of `where`, which may be a value that no record has. */
  readonly readOperand: ReadValue;
  /** Normalizes a text that names a record by a unique field. */
  named(text: string, column: Valued): string;
  /** False for a parsed operand that no record can have: PostgreSQL would refuse to compare it. */
  canHold(operand: string): boolean;
  /** The equivalent comparison, with a value that PostgreSQL can compare with the column. */
  nearest(bound: Bound): Bound;
  /** Cast of a parameter that is compared with the column; empty if PostgreSQL infers a type that holds every operand. */
  readonly cast: "" | "::bigint" | "::real";
  /** SQL by which lists sort a value of the column, given as SQL. */
  sortKey(value: string, column: Valued): string;
  /** SQL for a value as the text that searches compare. */
  text(value: string): string;
  /** Whether `q` searches the column. */
  readonly isSearched: boolean;
  /** How lists highlight the words of values that a search finds: whole, or only fragments; null if they do not. */
  readonly highlight: "whole" | "fragments" | null;
  /** What the index of such columns provides: see `Condition.index`; null if they have none. */
  readonly index: "page" | "rows" | null;
  /** The values that statistics count, as texts; empty if they are not few. */
  counted(column: Valued): readonly string[];

  /** The aggregations of its values in `_aggregate`. */
  aggregations(column: Valued): readonly Aggregation[];
  /** How values are summed, if they are. */
  readonly sum: Sum;
  /** Whether values are lists, which are never null: the empty value is `[]`. */
  readonly isList: boolean;
  /** How a PATCH adds to a value; null if it cannot. */
  readonly addition: Addition | null;
  /** Whether values are days, which have no zone, or moments; null for neither. */
  readonly time: "day" | "moment" | null;
  /** SQL that turns a value, given as SQL, into JSON text outside a record. */
  jsonText(value: string): string;
  /** SQL by which distinct values are counted. */
  distinct(value: string): string;

  /** SQL for the value of a stored row after a change to `value`; both are SQL. */
  changed(stored: string, value: string): string;
  /** A value as a parameter of a statement. */
  parameter(value: unknown): unknown;
  /** SQL for the value as it is shown; `value` is SQL. */
  shown(value: string): string;
  /** Whether the start of a value may be requested: `description:200`. */
  readonly canBeCut: boolean;
  /** Whether included records leave the column out. */
  readonly isLong: boolean;
  /** Whether values are storage keys of uploads, whose details the record shows as well. */
  readonly isFile: boolean;

  /** The message for a link to a missing record. */
  readonly missing: string;
  /** Whether a batch may write `{ "ref": 0 }` instead of a value. */
  readonly takesReference: boolean;
}

/** Parses a text for a column: returns the value to compare with, or the problem. */
export type ReadValue = (text: string, column: Valued) => FilterValue;
export type FilterValue = { readonly value: string } | { readonly problem: string };

/** The properties of a column that a kind may depend on. */
export interface Valued {
  /** The values of an enum in order; left out for other kinds. */
  readonly values?: readonly string[];
  /** Whether a string may be too long to group by. */
  readonly isLong?: true;
  /** Whether strings are stored without surrounding white space. */
  readonly trim?: true;
}

export interface Bound {
  readonly operator: "<" | "<=" | ">" | ">=";
  readonly value: string;
}

/** Defaults of most kinds. */
export const kindDefaults = {
  aggregations: (): readonly Aggregation[] => [],
  sum: exactSum,
  addition: null,
  isList: false,
  time: null,
  jsonText: (value: string) => `to_json(${value})::text`,
  distinct: (value: string) => value,
  json: "string",
  showsText: false,
  idType: null,
  named: (text: string) => text,
  hasMembers: false,
  members: (value: string) => value,
  changed: (_stored: string, value: string) => value,
  parameter: (value: unknown) => value,
  canHold: () => true,
  nearest: (bound: Bound) => bound,
  cast: "",
  sortKey: (value: string) => value,
  text: (value: string) => value,
  isSearched: false,
  highlight: null,
  index: null,
  counted: (): readonly string[] => [],
  shown: (value: string) => value,
  canBeCut: false,
  isLong: false,
  isFile: false,
  missing: cellWords.noRecord,
  takesReference: false,
} as const;

/** Uses one parser for both filters and operands. */
export function reads(read: ReadValue): Pick<Kind, "read" | "readOperand"> {
  return { read, readOperand: read };
}

export const asText: ReadValue = (value) => ({ value });
