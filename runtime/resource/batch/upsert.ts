import { type BodyIssue, Refusal, refuse } from "../../errors/index.js";
import type { Caller } from "../../own-code/index.js";
import { cellWords } from "../../values/files/cell-words.js";
import type { Reader } from "../record/read.js";
import { type CheckedBody, refuseBody } from "../table/body.js";
import { shownId } from "../table/column-keys.js";
import type { ResourceDefinition } from "../table/definition.js";
import { idOfNew } from "../table/kinds/value/new-id.js";
import { columnOf, type Table } from "../table/table.js";
import { createOf, upsertOf } from "../write/make.js";
import type { Write, Written } from "../write/operation.js";

/**
 * The fields that identify an upsert's record. `match` takes a value as SQL and returns a condition for rows with this
 * value.
 */
export type ByRule = readonly { readonly key: string; readonly match: (value: string) => string }[];

/** Finds the rule of a unique field, or of a unique combination of fields in any order; null if `by` is neither. */
export function findRule(table: Table<never>, by: readonly string[]): ByRule | null {
  const [key = ""] = by;
  if (by.length === 1) {
    const { unique, computed } = columnOf(table, key) ?? {};
    const isWritten = unique !== undefined && computed === undefined;
    return isWritten ? [{ key, match: unique.match }] : null;
  }
  const named = new Set(by);
  if (named.size < by.length) return null;
  const rule = table.uniques?.find(({ matches }) => {
    const keys = Object.keys(matches);
    return keys.length === named.size && keys.every((one) => named.has(one));
  });
  if (rule === undefined) return null;
  return Object.entries(rule.matches).map(([one, match]) => ({ key: one, match }));
}

/** Adds an issue to the body for each field of the rule that has no value. */
export function requireBy<Values>(
  checked: CheckedBody<Values>,
  rule: ByRule | null,
): CheckedBody<Values> {
  const values: Readonly<Record<string, unknown>> = checked.values;
  const missing = (rule ?? []).filter(
    ({ key }) =>
      (values[key] ?? null) === null && checked.malformed.every(({ path }) => path !== key),
  );
  const issues = missing.map(({ key }) => ({ path: key, message: "A value is required" }));
  return { ...checked, malformed: [...checked.malformed, ...issues] };
}

interface Upsert {
  readonly definition: ResourceDefinition;
  readonly by: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  /** The id of the record, if it is new. */
  readonly id: string;
  readonly caller: Caller | null;
}

function taken({ key }: ByRule[number]): BodyIssue {
  return { path: key, message: cellWords.taken };
}

/** The maximum number of attempts: each failed because a concurrent request created or deleted the record. */
const maxTries = 10;

/**
 * Creates a record like POST, or changes the one with the same values in the unique fields like PATCH. `run` executes
 * the write in a savepoint.
 */
export async function upsert(
  reader: Reader,
  { definition, by, values, id, caller }: Upsert,
  run: (write: Write) => Promise<Written>,
): Promise<Written> {
  const { table, shapes } = definition;
  const rule = findRule(table, by) ?? [];
  const update = upsertOf(table, shapes.update, { caller, id, values });
  const sent = requireBy(update.checked, rule);
  if (rule.some(({ key }) => sent.malformed.some(({ path }) => path === key))) refuseBody(sent, []);
  const find = () => idBy(reader, { table, rule }, sent.values);
  let found = await find();
  for (let tries = 1; ; tries += 1) {
    const write: Write =
      found === null
        ? createOf(table, shapes.create, { caller, ...idOfNew(table, id), values })
        : { ...update, id: found, checked: sent };
    try {
      return await run(write);
    } catch (error) {
      if (!(error instanceof Refusal) || tries === maxTries) throw error;
      const former = found;
      found = await find();
      if (found !== former) continue;
      // The record exists, but this caller may not read it.
      if (error.code === "NOT_FOUND") refuse("INVALID", { issues: rule.map(taken) });
      throw error;
    }
  }
}

/** Finds the id of the record with these values; null if there is none. */
export async function idBy(
  { query }: Pick<Reader, "query">,
  { table, rule }: { readonly table: Table<never>; readonly rule: ByRule },
  values: object,
): Promise<string | null> {
  const conditions = rule.map(({ match }, at) => match(`$${at + 1}`));
  const parameters = rule.map(({ key }) => Reflect.get(values, key));
  const text = `select ${shownId(table)} from ${table.name} where ${conditions.join(" and ")}`;
  const [row] = await query<{ id: string }>(text, parameters);
  return row?.id ?? null;
}
