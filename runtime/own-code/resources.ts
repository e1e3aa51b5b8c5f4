import type { Caller } from "./caller.js";
import type { ResourceHooks } from "./hooks.js";
import type { ResourcePolicies } from "./policies.js";
import type { LinkedField, RelationOf } from "./where.js";

/**
 * One resource for the app's own code: with the validation, defaults, conflicts and hooks of the API, without
 * its access rules and policies. What the API would refuse is thrown as a `Refusal`. `Defaulted` are required
 * fields that have a default.
 */
export interface ResourceClient<
  Record,
  Values,
  Where = object,
  Defaulted extends keyof Values = never,
> {
  /** The query, as in the body of `_query`. */
  list(query: ListQuery<Record, Where> & { readonly cursor: string }): Promise<CursorPage<Record>>;
  list(query?: ListQuery<Record, Where>): Promise<Page<Record>>;
  /** Null where there is none. */
  get(id: string, query?: GetQuery<Record, Where>): Promise<Record | null>;
  create(values: NewValues<Values, Defaulted>): Promise<Record>;
  /**
   * Changes the given fields, or those that the function returns for the stored record, which is locked first: nobody
   * changes it in between. Within a transaction it stays locked until the end; elsewhere the call has one of its own.
   * `{ stock: { add: -1 } }` adds to the stored number; what that makes invalid, such as a sum below `min`, is a 422.
   */
  update(id: string, changes: Changes<Values> | ChangesOf<Record, Values>): Promise<Record>;
  /** Stores all fields: an optional one that is left out is cleared. */
  replace(id: string, values: NewValues<Values>): Promise<Record>;
  delete(id: string): Promise<void>;
  count(query?: { readonly where?: Where; readonly q?: string }): Promise<number>;
}

/** Changes of some fields: new values, or for numbers `{ add: -1 }`, which is added to the stored value in one step. */
export type Changes<Values> = {
  [Key in keyof Values]?:
    | Values[Key]
    | (NonNullable<Values[Key]> extends number ? Addition : never);
};

/** The amount is added to the stored number, whatever it is by then. */
export interface Addition {
  readonly add: number;
}

/** Makes the changes of an update of the stored record. It must return some, and not write that record itself. */
export type ChangesOf<Record, Values> = (
  record: Record,
) => Changes<Values> | Promise<Changes<Values>>;

/** Values; those that can be empty or have a default may be left out. */
export type NewValues<Values, Defaulted extends keyof Values = never> = Omit<
  Values,
  Optional<Values> | Defaulted
> &
  Partial<Pick<Values, Optional<Values> | Defaulted>>;

type Optional<Values> = {
  [Key in keyof Values]: null extends Values[Key] ? Key : never;
}[keyof Values];

type KeyOf<Record> = keyof Record & string;

/** Which parts of a record are returned; `description:200` means the first 200 characters. */
export interface ShownQuery<Record, Where = object> {
  readonly fields?: readonly (KeyOf<Record> | `${KeyOf<Record>}:${number}`)[];
  readonly include?: { readonly [Name in RelationOf<Record, Where>]?: true | IncludeQuery };
}

/** Which parts of one record are returned. */
export interface GetQuery<Record, Where = object> extends ShownQuery<Record, Where> {
  /**
   * Locks the record until the transaction ends, so that nobody else changes it. Needs a transaction: a *before* hook,
   * the policy of a write or `app.transaction`.
   */
  readonly lock?: boolean;
}

/** Which parts of included records are returned; all but `fields` and `include` are for an inverse. */
export interface IncludeQuery {
  readonly fields?: readonly string[];
  readonly sort?: readonly string[];
  /** With 0 the records are only counted. */
  readonly perPage?: number;
  /** Conditions on fields and links. */
  readonly where?: object;
  /** Adds the number of all. */
  readonly count?: boolean;
  /** What is included in the records, up to three links away. */
  readonly include?: Readonly<Record<string, true | IncludeQuery>>;
}

/** Which records are listed, in which order, and which parts of them. */
export interface ListQuery<Record, Where = object> extends ShownQuery<Record, Where> {
  readonly where?: Where;
  readonly q?: string;
  readonly sort?: readonly `${"" | "-"}${KeyOf<Record> | LinkedField<Where>}`[];
  readonly page?: number;
  readonly perPage?: number;
  /** `""` asks for the first page. */
  readonly cursor?: string;
}

/** One page of a list, and the number of all records. */
export interface Page<Record> {
  readonly data: readonly Record[];
  readonly meta: {
    readonly page: number;
    readonly perPage: number;
    readonly total: number;
    readonly totalPages: number;
  };
}

/** One page of a list by cursor; `next` is null at the end. */
export interface CursorPage<Record> {
  readonly data: readonly Record[];
  readonly meta: { readonly perPage: number; readonly next: string | null };
}

/** All resources by their names in camelCase. */
export type OwnResources<Clients> = Clients & {
  /** The resources on behalf of a caller, with the access rules and policies of the API. */
  as(caller: Caller | null): Clients;
};

/** The types of a resource, as its emitted `types.ts` has them. */
export interface ResourceTypes {
  /** Among `app.resources`: `orderItems`. */
  key: string;
  /** As in its path: `order-items`. */
  name: string;
  record: object;
  values: object;
  /** What `where` takes. */
  where: object;
  /** Required fields that own code may leave out. */
  defaulted: PropertyKey;
  /** The actions that callers without a token may use; left out where there are none. */
  anonymous?: PropertyKey;
}

/** The types of some definitions, a union. */
export type TypesOf<Definitions extends readonly Typed[]> = NonNullable<
  Definitions[number]["table"]["types"]
>;

interface Typed {
  readonly table: { readonly types?: ResourceTypes };
}

/** The resources for the app's own code: `app.resources`, `context.resources`. */
export type ResourcesOf<Types extends ResourceTypes> = OwnResources<
  [Types] extends [never]
    ? Record<string, never>
    : {
        readonly [One in Types as One["key"]]: ResourceClient<
          One["record"],
          One["values"],
          One["where"],
          One["defaulted"] & keyof One["values"]
        >;
      }
>;

/** The app's own code around writes, by resource. */
export type HooksOf<Types extends ResourceTypes, Inputs> = ByResource<Types, Inputs, "hooks">;

/** The app's own checks, by resource and action; where one returns false, the answer is 403. */
export type PoliciesOf<Types extends ResourceTypes, Inputs> = ByResource<Types, Inputs, "policies">;

/** By both names of a resource, such as `orderItems` and `"order-items"`; the first is shown first. */
type ByResource<Types extends ResourceTypes, Inputs, Part extends keyof OwnCode> = [Types] extends [
  never,
]
  ? Record<string, never>
  : {
      readonly [One in Types as One["key"]]?: OwnCode<One, ResourcesOf<Types>, Inputs>[Part];
    } & {
      readonly [One in Types as One["name"]]?: OwnCode<One, ResourcesOf<Types>, Inputs>[Part];
    };

interface OwnCode<
  One extends ResourceTypes = ResourceTypes,
  Resources = unknown,
  Inputs = unknown,
> {
  hooks: ResourceHooks<One["record"], One["values"], Resources, Inputs>;
  policies: ResourcePolicies<
    One["record"],
    One["values"],
    Resources,
    Inputs,
    One extends { anonymous: infer Actions } ? Actions : never
  >;
}

/** @deprecated The name of `ListQuery` in 0.5; it goes with 0.6. */
export type ListQuestion<Record, Where = object> = ListQuery<Record, Where>;

/** @deprecated The name of `ShownQuery` in 0.5; it goes with 0.6. */
export type ShownQuestion<Record, Where = object> = ShownQuery<Record, Where>;

/** @deprecated The name of `IncludeQuery` in 0.5; it goes with 0.6. */
export type IncludeQuestion = IncludeQuery;
