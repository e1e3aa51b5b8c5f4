import type { Queryable } from "../../db/index.js";
import { type ResourceDefinition, recordsLike, type Table } from "../../resource/index.js";
import type { Problem } from "../../values/problem.js";
import { isMap, type SeedRecord } from "./read.js";

/** The id of what a link finds; `waits`: nothing yet, of that resource; or what is wrong. */
export type FoundTarget =
  | { readonly id: string }
  | { readonly waits: string; readonly problem: Problem }
  | { readonly problems: readonly Problem[] };

/** Finds the one record that fulfils `{ find: … }` at a link; null for a value that asks for nothing. */
export async function findTarget(
  connection: Queryable,
  definitions: readonly ResourceDefinition[],
  record: SeedRecord,
  key: string,
): Promise<FoundTarget | null> {
  const value = record.values[key];
  if (!isMap(value) || !Object.hasOwn(value, "find")) return null;
  const wrong = (message: string, hint: string | null = null): FoundTarget => ({
    problems: [record.problemAt([key], `${key}: ${message}`, hint)],
  });
  const link = linkOf(record.definition.table, key);
  if (link === null) return wrong("only a link may have find");
  const { find: wanted } = value;
  if (Object.keys(value).length > 1 || !isMap(wanted) || Object.keys(wanted).length === 0) {
    return wrong("write fields and their values", "for example: { find: { name: Tea } }");
  }
  const table = link.table?.();
  if (table === undefined) return findAccount(connection, { record, key, wanted });
  const definition = definitions.find((one) => one.table === table);
  if (definition === undefined) throw new Error(`${table.resource} is no resource of the app`);
  const found = await recordsLike(connection, definition, wanted);
  if ("issues" in found) {
    const at = (path: string, message: string) =>
      record.problemAt([key, "find", path], `${key}: ${message}`);
    return { problems: found.issues.map(({ path, message }) => at(path, message)) };
  }
  return foundOf(found.ids, { record, key, resource: table.resource });
}

interface Sought {
  readonly record: SeedRecord;
  readonly key: string;
}

async function findAccount(
  { query }: Queryable,
  { record, key, wanted }: Sought & { readonly wanted: Readonly<Record<string, unknown>> },
): Promise<FoundTarget> {
  const { email, ...others } = wanted;
  if (typeof email !== "string" || Object.keys(others).length > 0) {
    const message = `${key}: accounts are found by their email`;
    return { problems: [record.problemAt([key, "find"], message)] };
  }
  const rows = await query<{ id: string }>("select id from service.users where email = lower($1)", [
    email,
  ]);
  return foundOf(
    rows.map(({ id }) => id),
    { record, key, resource: "users" },
  );
}

function foundOf(
  ids: readonly string[],
  { record, key, resource }: Sought & { readonly resource: string },
): FoundTarget {
  const [id, second] = ids;
  const problem = (found: string) => record.problemAt([key], `${key}: ${found} of ${resource}`);
  if (id === undefined) return { waits: resource, problem: problem("there is no such record") };
  if (second !== undefined) return { problems: [problem("more than one such record")] };
  return { id };
}

function linkOf({ links = {} }: Table<never>, key: string) {
  return Object.values(links).find(({ field }) => field === key) ?? null;
}
