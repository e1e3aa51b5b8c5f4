import { v7 as uuid } from "uuid";
import type { BodyIssue } from "../../../../errors/index.js";
import { valueRequired } from "../../../../values/rules.js";
import { idFormOf, idOfTable } from "../../column-keys.js";
import type { Table } from "../../table.js";

type Body = Readonly<Record<string, unknown>>;
type Ids = Pick<Table<never>, "columns">;

/**
 * Returns the id of a new record, with the mistakes in the body's id. Null if the database generates it, or the body
 * has none.
 */
export function newId(
  table: Ids,
  body: Body,
  known?: string,
): { readonly id: string | null; readonly issues: readonly BodyIssue[] } {
  if (known !== undefined) return { id: known, issues: [] };
  const { made } = idOfTable(table);
  if (made === "database") return { id: null, issues: [] };
  if (made === undefined) return { id: uuid(), issues: [] };
  const { id = null } = body;
  if (id === null) return { id: null, issues: [issue(valueRequired)] };
  const { isId, usual, words } = idFormOf(table);
  if (typeof id === "string" && isId(id)) return { id: usual(id), issues: [] };
  return { id: null, issues: [issue(`Must be ${words}`)] };
}

/**
 * Returns the id that the batch generated for a new record. Empty if the database generates the id, or the values
 * contain it.
 */
export function idOfNew(table: Ids, id: string | undefined) {
  return id === undefined || idOfTable(table).made !== undefined ? {} : { id };
}

/** Reports the mistake of a body whose id is not that of the record; for other tables, the key is ignored. */
export function otherId(table: Ids, body: Body, id: string): readonly BodyIssue[] {
  if (idOfTable(table).made !== "caller" || !Object.hasOwn(body, "id") || body.id === id) return [];
  return [issue("Cannot change")];
}

function issue(message: string): BodyIssue {
  return { path: "id", message };
}
