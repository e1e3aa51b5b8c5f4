import type { Caller } from "./caller.js";
import type { Changes, ChangesOf, NewValues } from "./changes.js";
import type { ResourceHooks } from "./hooks.js";
import type { ResourcePolicies } from "./policies.js";
import type { LinkedField, RelationOf } from "./where.js";

/**
 * One resource for app code: with the API's validation, defaults, conflict checks and hooks, but without its access
 * rules and policies. If the API would refuse a call, it throws a `Refusal`. `Defaulted` are the required fields with a
 * default, `Given` the id of a new record if neither the app nor the database makes it.
 *
 * @example
 * ```ts
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({});
 * const task = await app.resources.tasks.create({ title: "Call Ann" });
 * await app.resources.tasks.update(task.id, { status: "done" });
 * if ((await app.resources.tasks.get(task.id))?.status === "done") {
 *   await app.resources.tasks.delete(task.id);
 * }
 * await app.close();
 * ```
 */
export interface ResourceClient<
  Record,
  Values,
  Where = object,
  Defaulted extends keyof Values = never,
  Given = unknown,
> {
  /** Lists a page by cursor; the query has the shape of a `_query` body. */
  list(query: ListQuery<Record, Where> & { readonly cursor: string }): Promise<CursorPage<Record>>;
  /** Lists a page by number; the first one by default. */
  list(query?: ListQuery<Record, Where>): Promise<Page<Record>>;
  /** Returns the record with this id; null if there is none. */
  get(id: string, query?: GetQuery<Record, Where>): Promise<Record | null>;
  /** Stores a record. Throws a `Refusal` with `issues` (422) if values are invalid or conflict with another record. */
  create(values: NewValues<Values, Defaulted> & Given): Promise<Record>;
  /**
   * Stores the given changes, or those that the function computes from the stored record. The record is locked first,
   * so that no other transaction can change it in between. The lock lasts until the transaction ends; outside a
   * transaction, the call opens its own.
   *
   * Throws a 422 if a result is invalid, such as a sum below `min`, and a 404 if the id is unknown.
   */
  update(id: string, changes: Changes<Values> | ChangesOf<Record, Values>): Promise<Record>;
  /** Stores all fields; omitted optional fields are cleared. */
  replace(id: string, values: NewValues<Values>): Promise<Record>;
  /**
   * Deletes a record; with `{ trash: "skip" }` permanently, even if it is in the trash. Throws a `Refusal` if no record
   * has that id (404), or if other records prevent it (409).
   */
  delete(id: string, options?: { readonly trash?: "skip" }): Promise<void>;
  /**
   * Restores a record from the trash, with everything that was deleted with it. Throws a `Refusal` if it is not in the
   * trash (404), or cannot be stored again (409, 422).
   */
  restore(id: string): Promise<Record>;
  /** Counts the records that match; all of them by default. */
  count(query?: {
    readonly where?: Where;
    readonly q?: string;
    readonly search?: string;
  }): Promise<number>;
}

type KeyOf<Record> = keyof Record & string;

/** The parts of a record to return; `description:200` returns the first 200 characters of the field. */
export interface ShownQuery<Record, Where = object> {
  /** Selects deleted records, with `deletedAt` and `deletedBy`, instead of current ones; requires a trash. */
  readonly trash?: "only";
  readonly fields?: readonly (KeyOf<Record> | `${KeyOf<Record>}:${number}`)[];
  readonly include?: { readonly [Name in RelationOf<Record, Where>]?: true | IncludeQuery };
}

/** The parts of one record to return. */
export interface GetQuery<Record, Where = object> extends ShownQuery<Record, Where> {
  /**
   * Locks the record until the transaction ends, so that no other transaction can change it. Throws outside a
   * transaction; *before* hooks, policies of writes and `app.transaction` run in one.
   */
  readonly lock?: boolean;
}

/** The parts of included records to return. Options other than `fields` and `include` apply only to inverses. */
export interface IncludeQuery {
  readonly fields?: readonly string[];
  /** Up to three fields; a leading dash sorts in descending order. */
  readonly sort?: readonly string[];
  /** The maximum number of records of an inverse, from 0 to 100; 10 by default. 0 returns only the count. */
  readonly perPage?: number;
  /** Conditions on fields and links. */
  readonly where?: object;
  /** Whether to add the total number of records. */
  readonly count?: boolean;
  /** More links to include in these records, up to three links away. */
  readonly include?: Readonly<Record<string, true | IncludeQuery>>;
}

/** Selects, sorts and shapes the records of a list. */
export interface ListQuery<Record, Where = object> extends ShownQuery<Record, Where> {
  /** Conditions on fields and links. */
  readonly where?: Where;
  /** Text to find in any `string` field, regardless of case and accents; up to 200 characters. */
  readonly q?: string;
  /** Words to find in any inflected form, best matches first, if the resource has `search`; up to 200 characters. */
  readonly search?: string;
  /** Fields of type string or text for which `meta.highlights` marks the matched words. */
  readonly highlight?: readonly KeyOf<Record>[];
  /** Up to three fields; a leading dash sorts in descending order: `["status", "-price"]`. */
  readonly sort?: readonly `${"" | "-"}${KeyOf<Record> | LinkedField<Where>}`[];
  /** The number of the page, from 1; 1 by default. */
  readonly page?: number;
  /** The number of records per page, from 1 to 100; 25 by default. */
  readonly perPage?: number;
  /** The `next` of the previous page; `""` for the first page. */
  readonly cursor?: string;
}

/** One page of a list, with the total number of records. */
export interface Page<Record> {
  readonly data: readonly Record[];
  readonly meta: {
    readonly page: number;
    readonly perPage: number;
    readonly total: number;
    readonly totalPages: number;
    /** Set if a search has more matches than `total`, which then is 100,000. */
    readonly more?: true;
    /** Highlighted values as HTML, by id and field; set if `highlight` was sent. */
    readonly highlights?: Readonly<{
      [id: string]: { readonly [field: string]: string };
    }>;
  };
}

/** One page of a list by cursor; `next` is null on the last one. */
export interface CursorPage<Record> {
  readonly data: readonly Record[];
  readonly meta: { readonly perPage: number; readonly next: string | null };
}

/** All resources, by name in camel case. */
export type AppResources<Clients> = Clients & {
  /** The resources on behalf of a caller, with the API's access rules and policies; null for an anonymous caller. */
  as(caller: Caller | null): Clients;
};

/** The types of a resource, as in its emitted `types.ts`. */
export interface ResourceTypes {
  /** The name in `app.resources`: `orderItems`. */
  key: string;
  /** The name in paths: `order-items`. */
  name: string;
  record: object;
  values: object;
  /** The type of `where` in queries. */
  where: object;
  /** Required fields with a default, which app code may omit. */
  defaulted: PropertyKey;
  /** The actions open to anonymous callers; omitted if there are none. */
  anonymous?: PropertyKey;
  /** The id that a create requires; omitted if the app or the database generates it. */
  given?: object;
  /** Null if the database generates the ids of new records; otherwise omitted. */
  newId?: null;
}

/** The union of the types of several definitions. */
export type TypesOf<Definitions extends readonly Typed[]> = NonNullable<
  Definitions[number]["table"]["types"]
>;

interface Typed {
  readonly table: { readonly types?: ResourceTypes };
}

/** The resources for app code: `app.resources`, `context.resources`. */
export type ResourcesOf<Types extends ResourceTypes> = AppResources<
  [Types] extends [never]
    ? Record<string, never>
    : {
        readonly [One in Types as One["key"]]: ResourceClient<
          One["record"],
          One["values"],
          One["where"],
          One["defaulted"] & keyof One["values"],
          One extends { given: infer Given } ? Given : unknown
        >;
      }
>;

/** App code that runs before and after writes, by resource. */
export type HooksOf<Types extends ResourceTypes, Inputs> = ByResource<Types, Inputs, "hooks">;

/** App rules by resource and action; the response is 403 unless they return `true`. */
export type PoliciesOf<Types extends ResourceTypes, Inputs> = ByResource<Types, Inputs, "policies">;

/** Accepts either name of a resource, such as `orderItems` or `"order-items"`; editors suggest the former first. */
type ByResource<Types extends ResourceTypes, Inputs, Part extends keyof AppCode> = [Types] extends [
  never,
]
  ? Record<string, never>
  : {
      readonly [One in Types as One["key"]]?: AppCode<One, ResourcesOf<Types>, Inputs>[Part];
    } & {
      readonly [One in Types as One["name"]]?: AppCode<One, ResourcesOf<Types>, Inputs>[Part];
    };

interface AppCode<
  One extends ResourceTypes = ResourceTypes,
  Resources = unknown,
  Inputs = unknown,
> {
  hooks: ResourceHooks<One["record"], One["values"], Resources, Inputs, NewIdOf<One>>;
  policies: ResourcePolicies<
    One["record"],
    One["values"],
    Resources,
    Inputs,
    One extends { anonymous: infer Actions } ? Actions : never,
    NewIdOf<One>
  >;
}

/** The id of a new record as passed to hooks and policies of its create. */
type NewIdOf<One> = One extends { newId: null } ? null : string;

/** @deprecated Use `ListQuery`. Removed in 0.6. */
export type ListQuestion<Record, Where = object> = ListQuery<Record, Where>;

/** @deprecated Use `ShownQuery`. Removed in 0.6. */
export type ShownQuestion<Record, Where = object> = ShownQuery<Record, Where>;

/** @deprecated Use `IncludeQuery`. Removed in 0.6. */
export type IncludeQuestion = IncludeQuery;
