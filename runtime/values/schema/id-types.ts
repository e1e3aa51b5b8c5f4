import { isUnicode } from "../text.js";
import { isUuid } from "../uuid.js";

/** The types that the ids of a resource's records may have. */
export const idTypes = ["uuid", "integer", "string"] as const;
export type IdType = (typeof idTypes)[number];

/** The ids of a resource's records. */
export interface RecordId {
  /** The column, unquoted. */
  readonly column: string;
  readonly type: IdType;
  /** Whether creates must have the id, because neither the app nor the database makes it. */
  readonly given: boolean;
}

export const usualId: RecordId = { column: "id", type: "uuid", given: false };

/** Whether the ids are UUIDs that the app makes, in a column `id`. */
export function isUsualId({ column, type }: RecordId): boolean {
  return column === usualId.column && type === usualId.type;
}

/** One type of ids, whose values the API shows as strings. */
export interface IdForm {
  /** The type of columns in tables that are made from descriptors; other integers and texts can be read too. */
  readonly sqlType: "uuid" | "bigint" | "text";
  /** An id, for messages about one that the type cannot hold: `an id (UUID)`. */
  readonly words: string;
  /** Whether the text is an id as the API shows it. */
  isId(text: string): boolean;
  /** The id as PostgreSQL shows it; other spellings of a UUID are the same id. */
  usual(id: string): string;
  /** An id for checks that look up no record. */
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

/** A longer text fits in no index, so no primary key has it. */
const maxBytes = 2600;

/** Whole numbers as PostgreSQL writes them: no leading zeros. */
export const wholeId = /^(?:0|-?[1-9][0-9]{0,18})$/;

/** Whether a `bigint` holds the number. */
function isWhole(text: string): boolean {
  return wholeId.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** The id as a segment of a path: a first `_` is that of `_stats` and the like. */
export function idSegment(id: string): string {
  const segment = encodeURIComponent(id);
  return segment.startsWith("_") ? `%5F${segment.slice(1)}` : segment;
}
