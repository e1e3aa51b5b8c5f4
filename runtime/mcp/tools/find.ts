import type { JsonObject } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import { fieldsWithStarts, type Table } from "../../resource/index.js";

/** The most records that an agent gets at once: what it reads costs it money and attention. */
export const maxFound = 25;

/** Characters of a text that an agent gets where it names none. */
export const cutLength = 200;

/** The query of an agent, within what it may ask for at once; what is wrong with it is left to the route. */
export function boundQuery(table: Table<never>, caller: Caller, query: JsonObject): JsonObject {
  const { perPage, fields } = query;
  const isLarge = typeof perPage === "number" && perPage > maxFound && perPage <= maxAsked;
  return {
    ...query,
    ...(isLarge && { perPage: maxFound }),
    ...(fields === undefined && { fields: fieldsWithStarts(table, caller, cutLength) }),
  };
}

/** What a list takes as `perPage`; more is refused there. */
const maxAsked = 100;
