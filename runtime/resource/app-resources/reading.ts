import type { Reads } from "../../own-code/index.js";
import { noteRead, versionOf } from "../own-code/reads.js";
import type { Table } from "../table/table.js";

/** The requested parts of records, not yet validated. */
export interface ShownParts {
  readonly fields?: readonly string[];
  readonly include?: Readonly<Record<string, unknown>>;
}

type Values = Record<string, unknown>;

/** A different `updatedAt` shows that a record has changed, so it is always requested. */
const changed = "updatedAt";

/** Adds `updatedAt` to a query that lists fields. */
export function askingForChange<Parts extends ShownParts>(
  table: Table<never>,
  requested: Parts,
): Parts {
  const { fields, include } = requested;
  return {
    ...requested,
    ...(lacksChange(fields) && { fields: [...(fields ?? []), changed] }),
    ...(isObject(include) && { include: mapped(include, (name, one) => inner(table, name, one)) }),
  };
}

function inner(table: Table<never>, name: string, requested: unknown): unknown {
  const target = targetOf(table, name);
  return target === null || !isObject(requested) ? requested : askingForChange(target, requested);
}

/**
 * Records the versions of the record and of the records included in it. Returns the record without the additions of
 * `askingForChange`.
 */
export function noted(
  reads: Reads,
  { table, record }: { readonly table: Table<never>; readonly record: Values },
  { fields, include }: ShownParts,
): Values {
  noteRead(reads, { table, id: String(record.id) }, versionOf(table, record, fields));
  for (const [name, requested] of Object.entries(include ?? {})) {
    const target = targetOf(table, name);
    if (target === null) continue;
    for (const one of includedIn(record[name])) {
      noted(reads, { table: target, record: one }, isObject(requested) ? requested : {});
    }
  }
  if (lacksChange(fields)) delete record[changed];
  return record;
}

/** Returns the table of a link or an inverse; null if it leads to accounts, or if `name` is neither. */
function targetOf({ links, inverses }: Table<never>, name: string): Table<never> | null {
  return (links?.[name] ?? inverses?.[name])?.table?.() ?? null;
}

/** Returns the records of a link, or of an inverse: `{ data, more }`. */
function includedIn(value: unknown): readonly Values[] {
  if (!isObject(value)) return [];
  const { data } = value;
  return Array.isArray(data) ? data : "id" in value ? [value] : [];
}

/** Whether `fields` lacks `updatedAt`. An empty or invalid list is not changed, so that the query refuses it. */
function lacksChange(fields: unknown): boolean {
  return Array.isArray(fields) && fields.length > 0 && !fields.includes(changed);
}

function mapped(values: Readonly<Values>, map: (name: string, value: unknown) => unknown): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, map(name, value)]),
  );
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
