import type { JsonObject } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import { fieldsWithStarts, type Table } from "../../resource/index.js";

/** The maximum number of records per response: reading costs an agent tokens and attention. */
export const maxFound = 25;

/** The maximum length of a text, in characters, unless the agent requests its field by name. */
export const cutLength = 200;

/** Applies an agent's limits to its query; the route refuses other mistakes. */
export function boundQuery(table: Table<never>, caller: Caller, query: JsonObject): JsonObject {
  const { perPage, fields } = query;
  const isLarge = typeof perPage === "number" && perPage > maxFound && perPage <= maxAsked;
  return {
    ...query,
    ...(isLarge && { perPage: maxFound }),
    ...(fields === undefined && { fields: fieldsWithStarts(table, caller, cutLength) }),
  };
}

/** The maximum `perPage` of a list; the route refuses more. */
const maxAsked = 100;
