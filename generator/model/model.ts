import type { RecordId } from "../../runtime/values/schema/id-types.js";
import type { Computed } from "../kind/field.js";
import type { Field } from "../kind/kinds.js";
import type { AdoptedTables } from "./adopted.js";
import type { ModelRule } from "./condition.js";
import type { RecordTimes, RecordZones } from "./times.js";

/** The validated content of all descriptors: names derived, links resolved. Later stages read nothing else. */
export interface Model {
  /** Sorted by name. */
  readonly resources: readonly Resource[];
  /** The effect of deleting an account on the records that must belong to one. */
  readonly accounts: Deletion;
  /** Adopted tables, and tables whose rows have no version; omitted if unused. */
  readonly adopted?: AdoptedTables;
  readonly unversioned?: ReadonlySet<string>;
}

/** The table of accounts, which does not belong to a resource and is in the schema `service`. */
export const accountsTable = "users";

export interface Resource {
  /** For example `order-items`. */
  readonly name: string;
  /** Path of the descriptor, such as `resources/order-items.yaml`. */
  readonly source: string;
  /** Plural in words, such as "Order items". */
  readonly label: string;
  /** Singular in words, such as "Order item". */
  readonly singular: string;
  readonly display: Display;
  readonly was: string | null;
  readonly from: string | null;
  /** Name of the TypeScript type, such as `OrderItem`. */
  readonly type: string;
  /** TypeScript identifier of one record, such as `orderItem`; never a reserved word. */
  readonly variable: string;
  /** TypeScript identifier of the collection, such as `orderItems`; never equal to `variable`. */
  readonly collection: string;
  /** The table's name, such as `order_items`; at most 63 bytes, unquoted. */
  readonly table: string;
  /** Whether triggers count the table's rows; otherwise each request counts them. */
  readonly isCounted: boolean;
  readonly id: RecordId;
  readonly times: RecordTimes;
  readonly zones: RecordZones;
  readonly access: Access;
  /**
   * The links from a record to the account that owns it or, with a `team`, to the group (empty if the record is the
   * group). Null without an owner.
   */
  readonly owner: readonly OwnerLink[] | null;
  /** The members of the group; null if an account owns the record, or there is no owner. */
  readonly team: Team | null;
  /** Null if changes are not logged. */
  readonly changes: Changes | null;
  /** Null if deletions are permanent. */
  readonly trash: Trash | null;
  /** Null if there is no full-text search. */
  readonly search: Search | null;
  /** Number of seconds for which responses to callers without a token may be cached; null if they may not. */
  readonly cache: number | null;
  /** In the order of the descriptor. */
  readonly fields: readonly Field[];
  /** The fields that have a column; all others are computed. */
  readonly stored: readonly Field[];
  /** The names of the linked records in queries, in the order of the fields. */
  readonly links: readonly LinkName[];
  /** The names of the records in each list of links in queries, in the order of the fields. */
  readonly lists: readonly LinkName[];
  /** The names in queries of the records that link to this one, sorted by resource and field. */
  readonly inverses: readonly Inverse[];
  /** Lists of at least two fields whose combined values are unique. */
  readonly uniques: readonly (readonly string[])[];
  readonly indexes: readonly (readonly IndexField[])[];
  readonly deletion: Deletion;
}

/** How a resource's changes are kept. */
export interface Changes {
  /** Number of days for which each record's history is kept; null if it is not. */
  readonly history: number | null;
  /** Which callers may read histories; null for all callers that may update. */
  readonly access: ModelRule | null;
}

/** How a resource's deleted records are kept. */
export interface Trash {
  readonly days: number;
  /** Which callers may delete records permanently; null for all callers that may delete. */
  readonly purge: ModelRule | null;
}

export interface Search {
  /** As in the descriptor: a text search configuration, or the name of a field that contains one. */
  readonly language: string;
  /** The column of that field; null if all records have the same language. */
  readonly languageColumn: string | null;
  /** Every language that a record can have. */
  readonly languages: readonly string[];
  readonly accents: "keep" | "ignore";
  /** In the order of the descriptor. */
  readonly fields: readonly SearchField[];
}

export interface SearchField {
  /** A name such as `category.name` refers to a field of the linked record. */
  readonly name: string;
  readonly weight: "A" | "B" | "C" | "D";
  /** The number of the group of fields with the same readers; group 0 has the most readers. */
  readonly group: number;
  readonly field: string;
  readonly column: string;
  /** Whether values may be long. */
  readonly isLong: boolean;
  /** Whether values are lists, whose elements are searched. */
  readonly isList: boolean;
  /** The link to the record with the field; null for the record itself. */
  readonly link: SearchLink | null;
}

/** A link, or a list of links, to the records with a field. */
export interface SearchLink extends Pick<LinkName, "field" | "resource"> {
  readonly column: string;
  readonly isList: boolean;
  readonly table: string;
}

/** How screens display a resource; null for their default. */
export interface Display {
  /** One to three fields whose values form a record's title; links contribute the titles of their records. */
  readonly title: readonly string[] | null;
  readonly icon: string | null;
  /** The menu heading under which the resource appears. */
  readonly group: string | null;
  /** The columns of a list. */
  readonly list: readonly string[] | null;
  /** The rows of a form, each with the fields side by side. */
  readonly form: readonly (readonly string[])[] | null;
}

/** The name of a linked record in queries: `category` for `categoryId`. */
export interface LinkName {
  readonly name: string;
  readonly field: string;
  /** The target resource; `users` for accounts. */
  readonly resource: string;
}

/** The name of linking records in queries: on orders, `items` for the records with `order-items.orderId`. */
export interface Inverse {
  readonly name: string;
  /** The field of the link in that resource. */
  readonly field: string;
  readonly resource: string;
}

/** A field, `createdAt` or `updatedAt` in an index. */
export interface IndexField {
  readonly name: string;
  readonly column: string;
  readonly descending: boolean;
}

export const actions = ["list", "get", "stats", "create", "update", "delete"] as const;
export type Action = (typeof actions)[number];
export type Access = Readonly<Record<Action, ModelRule>>;

/**
 * One of the fields from a record to the account that owns it: links, the last of which may be a string. All but the
 * last are required; if the last one is null, the record has no owner.
 */
export interface OwnerLink {
  readonly field: string;
  readonly column: string;
  /** The table that the field references, unquoted; accounts if the field contains an account id. */
  readonly target: string;
  readonly type: AccountType;
}

/** The SQL type of columns with account ids: `text` if the app handles sign-in, so that accounts have no rows. */
export type AccountType = "uuid" | "text";

/** How to find the members of a group: memberships are records of a resource. */
export interface Team {
  /** The resource whose records are memberships. */
  readonly through: string;
  /** The table of that resource, unquoted. */
  readonly table: string;
  /** The table's fields: the link to the group, the field that identifies the account, and the optional role. */
  readonly group: TeamField;
  readonly account: TeamField & { readonly type: AccountType };
  readonly role: TeamField | null;
  /** The role of a group's creator, which at least one member must always have; null if there is none. */
  readonly founder: string | null;
}

export interface TeamField {
  readonly field: string;
  readonly column: string;
}

/** The teams whose memberships are records of the resource: one for each resource whose records they own. */
export function teamsThrough({ name }: Resource, { resources }: Model): readonly Team[] {
  return resources.flatMap(({ team }) => (team?.through === name ? [team] : []));
}

/** The effect of deleting a record on the records that depend on it. */
export interface Deletion {
  /** The records that are deleted too; each resource follows those whose deletion affects it. */
  readonly cascades: readonly Dependants[];
  /** The records that prevent the deletion while they exist, sorted by resource. */
  readonly refusals: readonly Dependants[];
}

/** The records of one resource that depend on a record, or on others that are deleted with it. */
export interface Dependants {
  readonly resource: string;
  /** The resource's label, for the 409 response to a delete request. */
  readonly label: string;
  readonly singular: string;
  readonly table: string;
  readonly id: RecordId;
  /** The links by which the records depend on others: columns, and the tables that these reference. */
  readonly links: readonly { readonly column: string; readonly target: string }[];
  /** For records that list others, the table of the entries, which contains the columns; omitted for links. */
  readonly entries?: string;
}

/** Returns the names of relations with several records in queries: lists of links, and inverses. */
export function severalOf({ lists, inverses }: Resource): readonly (LinkName | Inverse)[] {
  return [...lists, ...inverses];
}

/** A field that PostgreSQL computes. */
export type ComputedField = Field & { readonly computed: Computed };
export function isComputed(field: Field): field is ComputedField {
  return field.computed !== null;
}

/** Whether the values of the field alone are unique regardless of case. */
export function isAnyCase(field: Field): boolean {
  return "anyCase" in field && field.anyCase;
}

/** Whether the values of the field alone are unique. */
export function isUnique(field: Field): boolean {
  return "unique" in field && field.unique;
}
