import type { Rule } from "../../runtime/values/access-rule.js";
import type { RecordId } from "../../runtime/values/schema/id-types.js";
import type { FieldAccess } from "../kind/field.js";
import type { Options } from "../kind/kind.js";
import type { AnyKind } from "../kind/kinds.js";
import type { Action, Display } from "../model/model.js";
import type { RecordTimes, RecordZones } from "../model/times.js";
import type { Source } from "./source.js";

/**
 * One descriptor as its author wrote it: well-formed, but not yet compared with the others.
 * Malformed parts are omitted, so that the rest can be checked.
 */
export interface Descriptor {
  /** The file's name: `order-items`. */
  readonly name: string;
  readonly source: Source;
  readonly label: string | null;
  readonly singular: string | null;
  readonly display: Display;
  readonly was: string | null;
  /** A former list of links whose entries become records: `products.tagIds`; null for none. */
  readonly from: string | null;
  /** The name of the table in the database; null for the default. */
  readonly table: string | null;
  readonly id: RecordId;
  /** False for `triggers: none`. */
  readonly isCounted: boolean;
  /** The columns of `createdAt` and `updatedAt`. */
  readonly times: RecordTimes;
  /** The time zones of these columns, if their type has none. */
  readonly zones: RecordZones;
  readonly access: WrittenAccess;
  /**
   * The path to the account, `orderId.customerId`; with a `team`, the path to the group, `projectId.teamId` or `id`.
   */
  readonly owner: string | null;
  /** The team, if the members of a group own a record. */
  readonly team: WrittenTeam | null;
  /** The retention of changes; null if they are not logged. */
  readonly changes: WrittenChanges | null;
  /** Days for which deleted records are kept; null if they are deleted permanently. */
  readonly trash: number | null;
  /** Null if the resource has no full-text search. */
  readonly search: WrittenSearch | null;
  /** Seconds for which caches may keep public responses; null for none. */
  readonly cache: number | null;
  /** In the order of the file. */
  readonly fields: readonly FieldDescriptor[];
  /** Lists of fields whose combined values are unique. */
  readonly unique: readonly FieldList[];
  /** Lists of fields to find and sort by; `-createdAt` means descending. */
  readonly indexes: readonly FieldList[];
}

/** The value of `changes`: days for which each record's history is kept, null for none. */
export interface WrittenChanges {
  readonly history: number | null;
}

/** The value of `search`. */
export interface WrittenSearch {
  /** A text search configuration, or an enum field. */
  readonly language: string;
  readonly accents: "keep" | "ignore";
  /** `category.name` is a field of the linked record. */
  readonly fields: readonly { readonly name: string; readonly weight: "A" | "B" | "C" | "D" }[];
}

/** The group part of `owner`, as its author wrote it. */
export interface WrittenTeam {
  /** The resource of memberships: `memberships`. */
  readonly through: string;
  /** Fields of that resource. */
  readonly group: string | null;
  readonly account: string | null;
  readonly role: string | null;
  /** A value of the role's field. */
  readonly founder: string | null;
}

/** Names of fields, at least one. */
export type FieldList = readonly string[];

export interface FieldDescriptor {
  readonly name: string;
  /** Null if the type is missing or unknown. */
  readonly kind: AnyKind | null;
  readonly options: Options;
  readonly access: Partial<FieldAccess>;
}

/** `read` stands for list, get and stats; `write` for create, update and delete. */
export type AccessName = Action | "read" | "write" | "history" | "purge";
export type WrittenAccess = Partial<Readonly<Record<AccessName, Rule>>>;
