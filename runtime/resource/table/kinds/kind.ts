import type { Aggregation } from "../../../values/aggregations.js";
import { cellWords } from "../../../values/files/cell-words.js";
import type { Comparisons } from "../../../values/operators.js";
import type { Addition } from "./value/addition.js";
import { exactSum, type Sum } from "./value/sum.js";

/**
 * What the runtime has to know about one kind of column. A kind spreads `kindDefaults` first and overrides what differs;
 * `kinds.ts` lists them all.
 */
export interface Kind {
  /** As what such columns are created, without lengths and digits: those the table checks. */
  readonly sqlType: string;
  /** The type of a value in JSON. */
  readonly json: "string" | "number" | "boolean";

  /** What its values can be compared by; null where lists are neither filtered nor sorted by them. */
  readonly comparisons: Comparisons | null;
  /** Parses the text of `filter[field]`. */
  readonly read: ReadValue;
  /** Parses the operand of an operator or of `where`, which may be a value that no record has. */
  readonly readOperand: ReadValue;
  /** A text that names a record by a unique field, as the record has it. */
  named(text: string, column: Valued): string;
  /** False for a read operand that no record can have: PostgreSQL would refuse to look for it. */
  canHold(operand: string): boolean;
  /** The same comparison, by a value that PostgreSQL can compare the column with. */
  nearest(bound: Bound): Bound;
  /** SQL by which lists sort a value of the column, itself SQL. */
  sortKey(value: string, column: Valued): string;
  /** Whether `q` searches it. */
  readonly isSearched: boolean;
  /** What the index of such columns provides: see `Condition.index`; null where they have none of their own. */
  readonly index: "page" | "rows" | null;
  /** The values that statistics count, as texts; none where these are not few. */
  counted(column: Valued): readonly string[];

  /** What `_aggregate` makes of its values. */
  aggregations(column: Valued): readonly Aggregation[];
  /** How values are added up, where they are. */
  readonly sum: Sum;
  /** How a PATCH adds to a value; null where it cannot. */
  readonly addition: Addition | null;
  /** Whether values are days, which have no zone, or moments; null for neither. */
  readonly time: "day" | "moment" | null;
  /** SQL of a value as JSON text, itself SQL, where it is not part of a record. */
  jsonText(value: string): string;
  /** SQL by which different values are counted. */
  distinct(value: string): string;

  /** SQL of what a record shows of a value, itself SQL. */
  shown(value: string): string;
  /** Whether a value may be requested without its end: `description:200`. */
  readonly canBeCut: boolean;
  /** Whether records inside others leave it out. */
  readonly isLong: boolean;
  /** Whether values are storage keys of uploads, whose details the record shows as well. */
  readonly isFile: boolean;

  /** What is wrong with a value whose link leads to nothing. */
  readonly missing: string;
  /** Whether a batch may write `{ "ref": 0 }` instead of a value. */
  readonly takesReference: boolean;
}

/** What a text means for a column: a value to compare with, or why it is not one. */
export type ReadValue = (text: string, column: Valued) => FilterValue;
export type FilterValue = { readonly value: string } | { readonly problem: string };

/** What of its column a kind may depend on. */
export interface Valued {
  /** The values of an enum in their order; left out for other kinds. */
  readonly values?: readonly string[];
  /** Whether a string may be too long to group by. */
  readonly isLong?: true;
  /** Whether a string is stored without white space at both ends. */
  readonly trim?: true;
}

export interface Bound {
  readonly operator: "<" | "<=" | ">" | ">=";
  readonly value: string;
}

/** What most kinds have in common. */
export const kindDefaults = {
  aggregations: (): readonly Aggregation[] => [],
  sum: exactSum,
  addition: null,
  time: null,
  jsonText: (value: string) => `to_json(${value})::text`,
  distinct: (value: string) => value,
  json: "string",
  named: (text: string) => text,
  canHold: () => true,
  nearest: (bound: Bound) => bound,
  sortKey: (value: string) => value,
  isSearched: false,
  index: null,
  counted: (): readonly string[] => [],
  shown: (value: string) => value,
  canBeCut: false,
  isLong: false,
  isFile: false,
  missing: cellWords.noRecord,
  takesReference: false,
} as const;

/** How a kind parses both filters and operands. */
export function reads(read: ReadValue): Pick<Kind, "read" | "readOperand"> {
  return { read, readOperand: read };
}

export const asText: ReadValue = (value) => ({ value });
