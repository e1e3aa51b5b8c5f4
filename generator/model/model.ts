import type { RecordId } from "../../runtime/values/schema/id-types.js";
import type { Computed } from "../kind/field.js";
import type { Field } from "../kind/kinds.js";
import type { AdoptedTables } from "./adopted.js";
import type { ModelRule } from "./condition.js";
import type { RecordTimes, RecordZones } from "./times.js";

/** The descriptors' meaning, frozen: every name derived once, every link resolved. Later stages read nothing else. */
export interface Model {
  /** Sorted by name. */
  readonly resources: readonly Resource[];
  /** The effect of deleting an account on the records that must belong to one. */
  readonly accounts: Deletion;
  /** The tables that were there before the app, and those whose rows have no version; left out where nothing uses them. */
  readonly adopted?: AdoptedTables;
  readonly unversioned?: ReadonlySet<string>;
}

/** The table of accounts, which belongs to no resource and is in the schema `service`. */
export const accountsTable = "users";

export interface Resource {
  /** `order-items` */
  readonly name: string;
  /** `resources/order-items.yaml` */
  readonly source: string;
  /** In words, plural: "Order items". */
  readonly label: string;
  /** In words, singular: "Order item". */
  readonly singular: string;
  readonly display: Display;
  readonly was: string | null;
  readonly from: string | null;
  /** The TypeScript type: `OrderItem`. */
  readonly type: string;
  /** A TypeScript identifier for one record: `orderItem`; never a reserved word. */
  readonly variable: string;
  /** A TypeScript identifier for the collection, never equal to `variable`: `orderItems`. */
  readonly collection: string;
  /** The table's name, at most 63 bytes, unquoted: `order_items`. */
  readonly table: string;
  /** Whether triggers count the table's rows; otherwise every request does. */
  readonly isCounted: boolean;
  readonly id: RecordId;
  readonly times: RecordTimes;
  readonly zones: RecordZones;
  readonly access: Access;
  /** The links from a record to its owner: an account, or with a `team` a group, which has none; null without an owner. */
  readonly owner: readonly OwnerLink[] | null;
  /** The members of the group; null if an account owns a record, or there is no owner. */
  readonly team: Team | null;
  /** Null if its changes are not logged. */
  readonly changes: Changes | null;
  /** Null if records are deleted permanently. */
  readonly trash: Trash | null;
  /** Null if its words are not indexed. */
  readonly search: Search | null;
  /** Seconds for which caches may keep responses to callers without a token; null for none. */
  readonly cache: number | null;
  /** In the descriptor's order. */
  readonly fields: readonly Field[];
  /** The fields that have a column; all others are computed. */
  readonly stored: readonly Field[];
  /** The name that queries use for the linked record, in the order of the fields. */
  readonly links: readonly LinkName[];
  /** The names that queries use for the records in each list of links, in the order of the fields. */
  readonly lists: readonly LinkName[];
  /** The names that queries use for the records that link to this one, sorted by resource and field. */
  readonly inverses: readonly Inverse[];
  /** Names of fields whose combined values are unique; at least two each. */
  readonly uniques: readonly (readonly string[])[];
  readonly indexes: readonly (readonly IndexField[])[];
  readonly deletion: Deletion;
}

/** The retention of a resource's changes. */
export interface Changes {
  /** Days for which each record's history is kept; null for none. */
  readonly history: number | null;
  /** Who may read histories; null for callers who may update. */
  readonly access: ModelRule | null;
}

/** The retention of a resource's deleted records. */
export interface Trash {
  readonly days: number;
  /** Who may delete records permanently; null for callers who may delete. */
  readonly purge: ModelRule | null;
}

/** The full-text search of a resource. */
export interface Search {
  /** As in the descriptor: a text search configuration, or the name of a field with one. */
  readonly language: string;
  /** The column of that field; null if all records have the same language. */
  readonly languageColumn: string | null;
  /** Every language that a record may have. */
  readonly languages: readonly string[];
  readonly accents: "keep" | "ignore";
  /** In the descriptor's order. */
  readonly fields: readonly SearchField[];
}

export interface SearchField {
  /** `category.name` for a field of the linked record. */
  readonly name: string;
  readonly weight: "A" | "B" | "C" | "D";
  /** The number of the group of fields with the same readers; group 0 has the most readers. */
  readonly group: number;
  readonly field: string;
  readonly column: string;
  /** Whether values may be long. */
  readonly isLong: boolean;
  /** Whether values are lists, whose elements have the words. */
  readonly isList: boolean;
  /** The link that leads to the record with the field; null for the record itself. */
  readonly link: SearchLink | null;
}

/** A link, or a list of links, to the records with a field. */
export interface SearchLink extends Pick<LinkName, "field" | "resource"> {
  readonly column: string;
  readonly isList: boolean;
  readonly table: string;
}

/** The display of a resource; null leaves the choice to the screens. */
export interface Display {
  /** The fields whose values name a record, one to three; links contribute their records' titles. */
  readonly title: readonly string[] | null;
  readonly icon: string | null;
  /** The heading under which menus group the resource with others. */
  readonly group: string | null;
  /** The columns of a list. */
  readonly list: readonly string[] | null;
  /** The rows of a form, each with the fields side by side. */
  readonly form: readonly (readonly string[])[] | null;
}

/** `categoryId` is called `category`. */
export interface LinkName {
  readonly name: string;
  /** The link's field. */
  readonly field: string;
  /** The resource that the link leads to; `users` for accounts. */
  readonly resource: string;
}

/** On orders, the records whose `order-items.orderId` refers to one are called `items`. */
export interface Inverse {
  readonly name: string;
  /** The link's field in that resource. */
  readonly field: string;
  readonly resource: string;
}

/** A field, `createdAt` or `updatedAt` as a part of an index. */
export interface IndexField {
  readonly name: string;
  readonly column: string;
  readonly descending: boolean;
}

export const actions = ["list", "get", "stats", "create", "update", "delete"] as const;
export type Action = (typeof actions)[number];
export type Access = Readonly<Record<Action, ModelRule>>;

/**
 * One of the fields from a record to the account that owns it: links, or a text as the last one.
 * All but the last are required; if the last one is null, the record has no owner.
 */
export interface OwnerLink {
  readonly field: string;
  readonly column: string;
  /** The table that the field refers to, unquoted; accounts if the field holds an account id. */
  readonly target: string;
  readonly type: AccountType;
}

/** The SQL type of columns with account ids: `text` if the app has its own sign-in, whose accounts have no rows here. */
export type AccountType = "uuid" | "text";

/** How the members of a group are found: memberships are records of a resource. */
export interface Team {
  /** The resource whose records are memberships. */
  readonly through: string;
  /** The table of that resource, unquoted. */
  readonly table: string;
  /** The table's fields: the link to the group, the field that names the account, and the optional role. */
  readonly group: TeamField;
  readonly account: TeamField & { readonly type: AccountType };
  readonly role: TeamField | null;
  /** The role of a group's creator, which at least one member always has; null if there is none. */
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

/** The effect of deleting a record on the records that must belong to it. */
export interface Deletion {
  /** The records that are deleted with it; each resource comes after those whose deletion affects it. */
  readonly cascades: readonly Dependants[];
  /** The records that refuse the delete while they exist, sorted by resource. */
  readonly refusals: readonly Dependants[];
}

/** The records of one resource that belong to a record, or to others that are deleted with it. */
export interface Dependants {
  readonly resource: string;
  /** The resource's label, for the 409 of a delete. */
  readonly label: string;
  readonly singular: string;
  readonly table: string;
  readonly id: RecordId;
  /** The links by which the records belong: columns, and the tables that these refer to. */
  readonly links: readonly { readonly column: string; readonly target: string }[];
  /** For records that list others, the table of the entries, to which the columns belong; omitted for links. */
  readonly entries?: string;
}

/** The names that queries use for several records: those in lists of links, and inverses. */
export function severalOf({ lists, inverses }: Resource): readonly (LinkName | Inverse)[] {
  return [...lists, ...inverses];
}

/** A field that PostgreSQL computes. */
export type ComputedField = Field & { readonly computed: Computed };
export function isComputed(field: Field): field is ComputedField {
  return field.computed !== null;
}

/** Whether the values of the field alone are unique without regard to case. */
export function isAnyCase(field: Field): boolean {
  return "anyCase" in field && field.anyCase;
}

/** Whether the values of the field alone are unique. */
export function isUnique(field: Field): boolean {
  return "unique" in field && field.unique;
}
