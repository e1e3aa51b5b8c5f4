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

/**
 * The id of a link's target, or the ids of a list; `waits`, with the resource that has no such record yet; or the
 * problems.
 */
export type FoundTarget =
  | { readonly id: string | readonly unknown[] }
  | { readonly waits: string; readonly problem: Problem }
  | { readonly problems: readonly Problem[] };

/** The targets of a record's links with `{ find: … }`, by key; for any other field with it, a problem. */
export type FoundTargets = ReadonlyMap<string, FoundTarget>;

/** A value with `{ find: … }`. */
interface Sought {
  readonly record: SeedRecord;
  readonly key: string;
  /** The index in a list; null for a single link. */
  readonly place: number | null;
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
  const targets = records.map(() => new Map<string, Map<number | null, FoundTarget>>());
  const add = (at: number, { key, place }: Pick<Sought, "key" | "place">, found: FoundTarget) => {
    const own = targets[at];
    own?.set(key, (own.get(key) ?? new Map()).set(place, found));
  };
  const sought = new Map<Sought["table"], (Sought & { readonly at: number })[]>();
  for (const [at, record] of records.entries()) {
    for (const [key, place] of placesIn(record)) {
      const one = soughtBy(record, key, place);
      if (one === null) continue;
      if ("problems" in one) add(at, { key, place }, one);
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
      add(one.at, one, foundBy(one, found[place] ?? { ids: [] }));
    }
  }
  return targets.map((own, at) => {
    const { values = {} } = records[at] ?? {};
    return new Map([...own].map(([key, found]) => [key, inPlace(values[key], found)]));
  });
}

/** The keys of the record's values, and the elements of its lists of links. */
function placesIn({ definition: { table }, values }: SeedRecord) {
  return Object.entries(values).flatMap(([key, value]): (readonly [string, number | null])[] =>
    Array.isArray(value) && linkOf(table, key) !== null
      ? value.map((_, place) => [key, place])
      : [[key, null]],
  );
}

/** The target of a link, or the list with its searches replaced by ids. */
function inPlace(value: unknown, found: ReadonlyMap<number | null, FoundTarget>): FoundTarget {
  const all = [...found.values()];
  const problems = all.flatMap((one) => ("problems" in one ? one.problems : []));
  if (problems.length > 0) return { problems };
  const waiting = all.find((one) => "waits" in one);
  if (waiting !== undefined) return waiting;
  const idAt = (place: number | null) => {
    const one = found.get(place);
    return one !== undefined && "id" in one ? one.id : null;
  };
  if (!Array.isArray(value)) return { id: idAt(null) ?? "" };
  return { id: value.map((element, place) => idAt(place) ?? element) };
}

/** The `{ find: … }` of a value, or its problems; null if the value has none, or the field is JSON. */
function soughtBy(
  record: SeedRecord,
  key: string,
  place: number | null,
): Sought | Extract<FoundTarget, { readonly problems: unknown }> | null {
  const { [key]: whole } = record.values;
  const value: unknown = place === null || !Array.isArray(whole) ? whole : whole[place];
  const at = place === null ? [key] : [key, place];
  if (!isMap(value) || !Object.hasOwn(value, "find")) return null;
  if (isJson(record.definition.table, key)) return null;
  const wrong = (message: string, hint: string | null = null) => ({
    problems: [record.problemAt(at, `${key}: ${message}`, hint)],
  });
  const link = linkOf(record.definition.table, key);
  if (link === null) return wrong("only link fields accept find");
  const { find: wanted } = value;
  if (Object.keys(value).length > 1 || !isMap(wanted) || Object.keys(wanted).length === 0) {
    return wrong("write fields and their values", "for example: { find: { name: Tea } }");
  }
  const table = link.table?.();
  if (table === undefined && emailOf(wanted) === null) {
    const message = `${key}: accounts are found by their email`;
    return { problems: [record.problemAt([...at, "find"], message)] };
  }
  return { record, key, place, wanted, table };
}

function foundBy({ record, key, place, wanted, table }: Sought, alike: Alike): FoundTarget {
  const at = place === null ? [key] : [key, place];
  if ("issues" in alike) {
    const problems = alike.issues.map(({ path, message }) =>
      record.problemAt([...at, "find", path], `${key}: ${message}`),
    );
    return { problems };
  }
  const [id, second] = alike.ids;
  const resource = table?.resource ?? "users";
  const problem = (found: string) =>
    record.problemAt(at, `${key}: ${found} of ${resource}: ${inWords(wanted)}`);
  if (id === undefined) return { waits: resource, problem: problem("there is no such record") };
  if (second !== undefined) return { problems: [problem("more than one such record")] };
  return { id };
}

/** Maximum number of characters of a value in a message. */
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
