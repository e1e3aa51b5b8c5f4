import type { Handle, Read, Route } from "../../http/index.js";
import { repeatable } from "../idempotency/repeat.js";
import { listRecords as list, queryRecords as query } from "../list/list.js";
import {
  aggregateRecords as aggregate,
  aggregateByBody as aggregateWith,
} from "../numbers/aggregate.js";
import { countRecords as count } from "../numbers/stats.js";
import { getRecord as get } from "../record/read.js";
import type { Action, ResourceDefinition } from "../table/definition.js";
import { deleteRule } from "../table/rule.js";
import {
  createRecord as create,
  deleteRecord as remove,
  replaceRecord as replace,
  restoreRecord as restore,
  updateRecord as update,
} from "../write/routes.js";
import { publicCaching } from "./caching.js";

/** Creates the handler of a resource's route. */
export type Endpoint = (
  definition: ResourceDefinition,
) => { readonly read: Read } | { readonly handle: Handle };

/** A route: its method, its path relative to the resource's, the action whose access rule applies, and its handler. */
export type ResourceRoute = readonly [
  method: Route["method"],
  path: string,
  action: Action,
  endpoint: Endpoint,
];

/** `GET /<resource>`. */
export const listRecords: Endpoint = ({ table }) => ({ read: list(table) });

/** `POST /<resource>/_query`: a list with its query in the body. */
export const queryRecords: Endpoint = ({ table }) => ({ handle: query(table) });

/** `POST /<resource>`. */
export const createRecord: Endpoint = ({ table, shapes }) => ({
  handle: repeatable(table, create(table, shapes.create)),
});

/** `GET /<resource>/_stats`. */
export const countRecords: Endpoint = ({ table }) => ({ read: count(table) });

/** `GET /<resource>/_aggregate`. */
export const aggregateRecords: Endpoint = ({ table }) => ({ read: aggregate(table) });

/** `POST /<resource>/_aggregate`: groups with their query in the body. */
export const aggregateByBody: Endpoint = ({ table }) => ({ handle: aggregateWith(table) });

/** `GET /<resource>/:id`. */
export const getRecord: Endpoint = ({ table }) => ({ read: get(table) });

/** `PATCH /<resource>/:id`. */
export const updateRecord: Endpoint = ({ table, shapes }) => ({
  handle: repeatable(table, update(table, shapes.update)),
});

/** `PUT /<resource>/:id`. */
export const replaceRecord: Endpoint = ({ table, shapes }) => ({
  handle: repeatable(table, replace(table, shapes.replace)),
});

/** `DELETE /<resource>/:id`. */
export const deleteRecord: Endpoint = ({ table }) => ({ handle: repeatable(table, remove(table)) });

/** `POST /<resource>/:id/_restore`. */
export const restoreRecord: Endpoint = ({ table }) => ({
  handle: repeatable(table, restore(table)),
});

/** The routes of a resource in the API. */
export function routesOf(
  definition: ResourceDefinition,
  routes: readonly ResourceRoute[],
): readonly Route[] {
  const { table, access } = definition;
  return routes.map(([method, path, action, endpoint]) => ({
    method,
    path: `/${table.resource}${path}`,
    access: method === "DELETE" ? deleteRule(table) : access[action],
    ...(method === "GET" && {
      caching: { visitors: publicCaching(table), isTagged: path === "" },
    }),
    ...(action === "create" && { isCreate: true as const }),
    ...endpoint(definition),
  }));
}
