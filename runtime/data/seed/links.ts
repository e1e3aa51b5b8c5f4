import type { Queryable } from "../../db/index.js";
import {
  type Alike,
  isJson,
  type ResourceDefinition,
  recordsLike,
  type Table,
} from "../../resource/index.js";
import type { Problem } from "../../values/problem.js";
import { listWordsBriefly } from "../../values/text.js";
import { isMap, type SeedRecord } from "./read.js";

/** The id of a link's target; `waits` if there is none yet of that resource; or the issue. */
export type FoundTarget =
  | { readonly id: string }
  | { readonly waits: string; readonly problem: Problem }
  | { readonly problems: readonly Problem[] };

/** The targets of a record's links with `{ find: … }`, by key; other values with it are wrong. */
export type FoundTargets = ReadonlyMap<string, FoundTarget>;

/** A value with `{ find: … }`. */
interface Sought {
  readonly record: SeedRecord;
  readonly key: string;
  readonly wanted: Readonly<Record<string, unknown>>;
  /** Undefined for an account. */
  readonly table: Table<never> | undefined;
}

/** Finds the single record that matches each `{ find: … }` in the links of several records, in their order. */
export async function findTargets(
  connection: Queryable,
  definitions: readonly ResourceDefinition[],
  records: readonly SeedRecord[],
): Promise<readonly FoundTargets[]> {
  const targets = records.map(() => new Map<string, FoundTarget>());
  const sought = new Map<Sought["table"], (Sought & { readonly at: number })[]>();
  for (const [at, record] of records.entries()) {
    for (const key of Object.keys(record.values)) {
      const one = soughtBy(record, key);
      if (one === null) continue;
      if ("problems" in one) targets[at]?.set(key, one);
      else {
        const same = sought.get(one.table) ?? [];
        same.push({ ...one, at });
        sought.set(one.table, same);
      }
    }
  }
  for (const [table, some] of sought) {
    const found =
      table === undefined
        ? await accountsLike(connection, some)
        : await recordsLike(connection, definitionOf(definitions, table), wantedBy(some));
    for (const [place, one] of some.entries()) {
      targets[one.at]?.set(one.key, foundBy(one, found[place] ?? { ids: [] }));
    }
  }
  return targets;
}

/** Null for a value without a search. */
function soughtBy(
  record: SeedRecord,
  key: string,
): Sought | Extract<FoundTarget, { readonly problems: unknown }> | null {
  const value = record.values[key];
  if (!isMap(value) || !Object.hasOwn(value, "find")) return null;
  if (isJson(record.definition.table, key)) return null;
  const wrong = (message: string, hint: string | null = null) => ({
    problems: [record.problemAt([key], `${key}: ${message}`, hint)],
  });
  const link = linkOf(record.definition.table, key);
  if (link === null) return wrong("only a link may have find");
  const { find: wanted } = value;
  if (Object.keys(value).length > 1 || !isMap(wanted) || Object.keys(wanted).length === 0) {
    return wrong("write fields and their values", "for example: { find: { name: Tea } }");
  }
  const table = link.table?.();
  if (table === undefined && emailOf(wanted) === null) {
    const message = `${key}: accounts are found by their email`;
    return { problems: [record.problemAt([key, "find"], message)] };
  }
  return { record, key, wanted, table };
}

function foundBy({ record, key, wanted, table }: Sought, alike: Alike): FoundTarget {
  if ("issues" in alike) {
    const at = (path: string, message: string) =>
      record.problemAt([key, "find", path], `${key}: ${message}`);
    return { problems: alike.issues.map(({ path, message }) => at(path, message)) };
  }
  const [id, second] = alike.ids;
  const resource = table?.resource ?? "users";
  const problem = (found: string) =>
    record.problemAt([key], `${key}: ${found} of ${resource}: ${inWords(wanted)}`);
  if (id === undefined) return { waits: resource, problem: problem("there is no such record") };
  if (second !== undefined) return { problems: [problem("more than one such record")] };
  return { id };
}

/** The largest number of a value's characters in a message. */
const maxShown = 100;

/** `name "Tea" and price 3` */
function inWords(wanted: Sought["wanted"]): string {
  return listWordsBriefly(
    Object.entries(wanted).map(([field, value]) => {
      const text = JSON.stringify(value);
      const shown = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
      return `${field} ${shown}`;
    }),
  );
}

async function accountsLike(
  { query }: Queryable,
  sought: readonly Sought[],
): Promise<readonly Alike[]> {
  const emails = sought.map(({ wanted }) => emailOf(wanted));
  const rows = await query<{ email: string; id: string }>(
    `select _sent.email, users.id
    from unnest($1::text[]) as _sent (email) join service.users on users.email = lower(_sent.email)`,
    [[...new Set(emails)]],
  );
  const ids = new Map(rows.map(({ email, id }) => [email, id]));
  return emails.map((email) => {
    const id = email === null ? undefined : ids.get(email);
    return { ids: id === undefined ? [] : [id] };
  });
}

/** The address, if it is the only condition. */
function emailOf({ email, ...others }: Sought["wanted"]): string | null {
  return typeof email === "string" && Object.keys(others).length === 0 ? email : null;
}

function wantedBy(sought: readonly Sought[]) {
  return sought.map(({ wanted }) => wanted);
}

function definitionOf(
  definitions: readonly ResourceDefinition[],
  table: Table<never>,
): ResourceDefinition {
  const definition = definitions.find((one) => one.table === table);
  if (definition === undefined) throw new Error(`${table.resource} is not a resource of the app`);
  return definition;
}

function linkOf({ links = {} }: Table<never>, key: string) {
  return Object.values(links).find(({ field }) => field === key) ?? null;
}
