import type { JsonObject } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import { fieldsWithStarts, type Table } from "../../resource/index.js";

/** The maximum number of records per response, since reading costs an agent money and attention. */
export const maxFound = 25;

/** Characters of a text that an agent gets unless it names the field. */
export const cutLength = 200;

/** The query of an agent, within its limits; the route refuses other mistakes. */
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
