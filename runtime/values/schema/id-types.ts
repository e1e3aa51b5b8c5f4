import { isUnicode } from "../text.js";
import { isUuid } from "../uuid.js";

/** The types of ids that records of a resource may have. */
export const idTypes = ["uuid", "integer", "string"] as const;
export type IdType = (typeof idTypes)[number];

/** How the ids of a resource's records are stored. */
export interface RecordId {
  /** The unquoted column name. */
  readonly column: string;
  readonly type: IdType;
  /** Whether a create must contain the id, because neither the app nor the database generates it. */
  readonly given: boolean;
}

export const usualId: RecordId = { column: "id", type: "uuid", given: false };

/** Whether the ids are UUIDs that the app generates, in a column `id`. */
export function isUsualId({ column, type }: RecordId): boolean {
  return column === usualId.column && type === usualId.type;
}

/** A type of ids. In the API every id is a string. */
export interface IdForm {
  /** The column type in tables created from descriptors. Existing tables may have other integer and text types. */
  readonly sqlType: "uuid" | "bigint" | "text";
  /** A description of ids for messages about invalid ones: `an id (UUID)`. */
  readonly words: string;
  /** Returns whether the text is an id as in the API. */
  isId(text: string): boolean;
  /** Returns the id as PostgreSQL writes it: a UUID may have several spellings. */
  usual(id: string): string;
  /** A valid id for checks that do not look up a record. */
  readonly example: string;
}

const unchanged = (id: string): string => id;

export const idForms: Readonly<Record<IdType, IdForm>> = {
  uuid: {
    sqlType: "uuid",
    words: "an id (UUID)",
    isId: isUuid,
    usual: (id) => id.toLowerCase(),
    example: "019c0e2a-3c5e-7d41-9b1a-52f0c7a8e601",
  },
  integer: {
    sqlType: "bigint",
    words: "an id (whole number)",
    isId: isWhole,
    usual: unchanged,
    example: "17",
  },
  string: {
    sqlType: "text",
    words: "an id (text)",
    isId: (text) =>
      text !== "" && isUnicode(text) && new TextEncoder().encode(text).length <= maxBytes,
    usual: unchanged,
    example: "A-17",
  },
};

/** Maximum number of bytes of a text id. A longer text fits in no index, so it cannot be a primary key. */
const maxBytes = 2600;

/** Matches integers as PostgreSQL writes them, without leading zeros. */
export const wholeId = /^(?:0|-?[1-9][0-9]{0,18})$/;

/** Whether the text is an integer that fits in a `bigint`. */
function isWhole(text: string): boolean {
  return wholeId.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** The id as a path segment. An initial `_` is escaped, because segments such as `_stats` begin with it. */
export function idSegment(id: string): string {
  const segment = encodeURIComponent(id);
  return segment.startsWith("_") ? `%5F${segment.slice(1)}` : segment;
}
