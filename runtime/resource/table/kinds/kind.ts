import type { Aggregation } from "../../../values/aggregations.js";
import { cellWords } from "../../../values/files/cell-words.js";
import type { Comparisons } from "../../../values/operators.js";
import type { IdType } from "../../../values/schema/id-types.js";
import type { Addition } from "./value/addition.js";
import { exactSum, type Sum } from "./value/sum.js";

/**
 * The runtime's properties of one kind of column. A kind spreads `kindDefaults` first and overrides what differs;
 * `kinds.ts` lists all kinds.
 */
export interface Kind {
  /** The type in `create table`, without length and precision, which constraints of the table check. */
  readonly sqlType: string;
  /** The type of ids, if values are ids of records or lists of ids; null for other values. */
  readonly idType: IdType | null;
  /** The type of a value in JSON. */
  readonly json: "string" | "number" | "boolean";
  /** Whether some numbers are returned as strings, so that queries may contain strings as well. */
  readonly showsText: boolean;

  /** The allowed comparisons of values; null if lists can be neither filtered nor sorted by them. */
  readonly comparisons: Comparisons | null;
  /** Whether `where` can test members inside values, with `has` and `at`. */
  readonly hasMembers: boolean;
  /** SQL for a value as `jsonb`, if it has members. */
  members(value: string): string;
  /** Parses the text of `filter[field]`. */
  readonly read: ReadValue;
  /** Parses the operand of an operator or of `where`; no record may have this value. */
  readonly readOperand: ReadValue;
  /** Normalizes a text that identifies a record by a unique field. */
  named(text: string, column: Valued): string;
  /** Returns false for a parsed operand that no record can have: PostgreSQL would refuse to compare it. */
  canHold(operand: string): boolean;
  /** Returns the equivalent comparison with a value that PostgreSQL can compare with the column. */
  nearest(bound: Bound): Bound;
  /**
   * The cast of a parameter that is compared with the column; empty if PostgreSQL infers a type that fits every
   * operand.
   */
  readonly cast: "" | "::bigint" | "::real";
  /** SQL by which lists sort a value of the column, given as SQL. */
  sortKey(value: string, column: Valued): string;
  /** SQL for a value as the text in which searches look. */
  text(value: string): string;
  /** Whether `q` searches the column. */
  readonly isSearched: boolean;
  /** How lists highlight matched words of values: whole values or only fragments; null if they do not. */
  readonly highlight: "whole" | "fragments" | null;
  /** What the index of such columns provides, see `Condition.index`; null without an index. */
  readonly index: "page" | "rows" | null;
  /** The values counted by statistics, as texts; empty if there are too many different ones. */
  counted(column: Valued): readonly string[];

  /** The aggregations that `_aggregate` supports for its values. */
  aggregations(column: Valued): readonly Aggregation[];
  /** How values are summed, if they can be. */
  readonly sum: Sum;
  /** Whether values are lists, which are never null: the empty value is `[]`. */
  readonly isList: boolean;
  /** How a PATCH adds to a value; null if it cannot. */
  readonly addition: Addition | null;
  /** Whether values are days, which have no time zone, or instants; null for neither. */
  readonly time: "day" | "moment" | null;
  /** SQL that turns a value, given as SQL, into JSON text outside a record. */
  jsonText(value: string): string;
  /** SQL by which distinct values are counted. */
  distinct(value: string): string;

  /** SQL for the stored value after a change to `value`; both parameters are SQL. */
  changed(stored: string, value: string): string;
  /** A value as a parameter of a statement. */
  parameter(value: unknown): unknown;
  /** SQL for the value as the API returns it; `value` is SQL. */
  shown(value: string): string;
  /** Whether only the start of a value may be requested: `description:200`. */
  readonly canBeCut: boolean;
  /** Whether included records omit the column. */
  readonly isLong: boolean;
  /** Whether values are storage keys of uploads, whose details the record returns as well. */
  readonly isFile: boolean;

  /** The message for a link to a missing record. */
  readonly missing: string;
  /** Whether a batch may contain `{ "ref": 0 }` in place of a value. */
  readonly takesReference: boolean;
}

/** Parses a text for a column: returns the value to compare with, or the problem. */
export type ReadValue = (text: string, column: Valued) => FilterValue;
export type FilterValue = { readonly value: string } | { readonly problem: string };

/** The properties of a column that a kind may depend on. */
export interface Valued {
  /** The values of an enum in order; omitted for other kinds. */
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
