import type { Rule } from "../../runtime/values/access-rule.js";
import type { RecordId } from "../../runtime/values/schema/id-types.js";
import type { FieldAccess } from "../kind/field.js";
import type { Options } from "../kind/kind.js";
import type { AnyKind } from "../kind/kinds.js";
import type { Action, Display } from "../model/model.js";
import type { RecordTimes, RecordZones } from "../model/times.js";
import type { Source } from "./source.js";

/**
 * A descriptor as its author wrote it: well-formed, but not yet checked against the others. Malformed parts are
 * omitted, so that the rest can be checked.
 */
export interface Descriptor {
  /** The name of the file without its extension, such as `order-items`. */
  readonly name: string;
  readonly source: Source;
  readonly label: string | null;
  readonly singular: string | null;
  readonly display: Display;
  readonly was: string | null;
  /** A former list of links whose entries become records, such as `products.tagIds`; null for none. */
  readonly from: string | null;
  /** The name of the database table; null for the default. */
  readonly table: string | null;
  readonly id: RecordId;
  /** Whether triggers count the records; false for `triggers: none`. */
  readonly isCounted: boolean;
  /** The columns of `createdAt` and `updatedAt`. */
  readonly times: RecordTimes;
  /** The time zones of those columns whose type has none. */
  readonly zones: RecordZones;
  readonly access: WrittenAccess;
  /**
   * The path to the account, such as `orderId.customerId`; with a `team`, the path to the group, such as
   * `projectId.teamId` or `id`.
   */
  readonly owner: string | null;
  /** The team, if records are owned by the members of a group. */
  readonly team: WrittenTeam | null;
  /** The retention of changes; null if they are not logged. */
  readonly changes: WrittenChanges | null;
  /** Number of days for which deleted records are kept; null if deletions are permanent. */
  readonly trash: number | null;
  /** Null if the resource has no full-text search. */
  readonly search: WrittenSearch | null;
  /** Number of seconds for which public responses may be cached; null if they may not. */
  readonly cache: number | null;
  /** In the order in which the file lists them. */
  readonly fields: readonly FieldDescriptor[];
  /** Lists of fields whose combined values are unique. */
  readonly unique: readonly FieldList[];
  /** Lists of fields to index; `-createdAt` means descending. */
  readonly indexes: readonly FieldList[];
}

/** The value of `changes`: the number of days for which each record's history is kept; null if it is not. */
export interface WrittenChanges {
  readonly history: number | null;
}

/** The value of `search`. */
export interface WrittenSearch {
  /** A text search configuration, or the name of an enum field. */
  readonly language: string;
  readonly accents: "keep" | "ignore";
  /** A name such as `category.name` refers to a field of the linked record. */
  readonly fields: readonly { readonly name: string; readonly weight: "A" | "B" | "C" | "D" }[];
}

/** The group in `owner`, as its author wrote it. */
export interface WrittenTeam {
  /** The resource of memberships, such as `memberships`. */
  readonly through: string;
  /** The fields of the resource in `through`. */
  readonly group: string | null;
  readonly account: string | null;
  readonly role: string | null;
  /** A value of the field in `role`. */
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
