import type { Field } from "../kind/kinds.js";

/**
 * What the descriptors mean: plain frozen values, every name derived once, every link resolved.
 * The stages after `resolve` read nothing else.
 */
export interface Model {
  /** Sorted by name. */
  readonly resources: readonly Resource[];
}

export interface Resource {
  /** `order-items` */
  readonly name: string;
  /** `resources/order-items.yaml` */
  readonly source: string;
  /** In words, plural: "Order items". */
  readonly label: string;
  /** In words, singular: "Order item". */
  readonly singular: string;
  readonly was: string | null;
  /** The TypeScript type: `OrderItem`. */
  readonly type: string;
  /** A TypeScript identifier for one record: `orderItem`; never a reserved word. */
  readonly variable: string;
  /** A TypeScript identifier for the collection, never equal to `variable`: `orderItems`. */
  readonly collection: string;
  /** The table's name, at most 63 bytes, unquoted: `order_items`. */
  readonly table: string;
  readonly access: Access;
  /** In the descriptor's order. */
  readonly fields: readonly Field[];
  /** Names of fields whose values, taken together, no two records share; at least two each. */
  readonly uniques: readonly (readonly string[])[];
  readonly indexes: readonly (readonly IndexField[])[];
  readonly deletion: Deletion;
}

/** A field, `createdAt` or `updatedAt` as a part of an index. */
export interface IndexField {
  readonly name: string;
  readonly column: string;
  readonly descending: boolean;
}

export const actions = ["list", "get", "stats", "create", "update", "delete"] as const;
export type Action = (typeof actions)[number];
/** `signed-in`, `nobody`, or the roles that may. */
export type Rule = "signed-in" | "nobody" | readonly string[];
export type Access = Readonly<Record<Action, Rule>>;

/** The effect of deleting a record on the records that are required to belong to it. */
export interface Deletion {
  /** The records that are deleted with it; a resource follows all those whose delete reaches it. */
  readonly cascades: readonly Dependants[];
  /** The records that refuse the delete as long as they exist, sorted by resource. */
  readonly refusals: readonly Dependants[];
}

/** The records of one resource that belong to a record, or to those that are deleted with it. */
export interface Dependants {
  readonly resource: string;
  /** The resource's words, for the 409 of a delete. */
  readonly label: string;
  readonly singular: string;
  readonly table: string;
  /** The links by which they belong: columns, and the tables that these refer to. */
  readonly links: readonly { readonly column: string; readonly target: string }[];
}

/** Whether no two records share a value of the field alone. */
export function isUnique(field: Field): boolean {
  return "unique" in field && field.unique;
}
