import { applyChange } from "../../../runtime/values/schema/change.js";
import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import {
  columnIn,
  emptySchema,
  type Schema,
  type Table,
} from "../../../runtime/values/schema/schema.js";
import { newOrigins, type Origins } from "./origins.js";

/** The renames that the migrations have already made. */
export interface Lineage {
  readonly resources: ReadonlyMap<string, Former>;
  /** By resource name, then field name. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, Former>>;
}

/** The former names of a resource or a field. */
export interface Former {
  readonly names: ReadonlySet<string>;
  /** Whether the new name belonged to something else before the rename. */
  readonly tookName: boolean;
  /** For fields: the renames of values, by `valueKey`. */
  readonly values: ReadonlySet<string>;
}

export function valueKey(value: string, to: string): string {
  return JSON.stringify([value, to]);
}

const noLineage: Lineage = { resources: new Map(), fields: new Map() };

/** The lineage of the schema after a consistent series of migrations. */
export function lineageOf(migrations: readonly { readonly changes: readonly Change[] }[]): Lineage {
  let schema = emptySchema;
  let lineage = noLineage;
  for (const { changes } of migrations) {
    const origins = newOrigins(schema);
    let after: Schema = schema;
    for (const change of changes) {
      after = applyChange(after, change);
      origins.follow(change);
    }
    lineage = nextLineage(lineage, { before: schema, after, origins });
    schema = after;
  }
  return lineage;
}

interface Transition {
  readonly before: Schema;
  readonly after: Schema;
  readonly origins: Origins;
}

function nextLineage(lineage: Lineage, { before, after, origins }: Transition): Lineage {
  const resources = new Map<string, Former>();
  const fields = new Map<string, ReadonlyMap<string, Former>>();
  const existed = (resource: string) => before.tables.some((table) => table.resource === resource);
  for (const table of after.tables) {
    const former = origins.formerTable(table.name);
    if (former === null) continue;
    const known = lineage.resources.get(former.resource) ?? neverRenamed;
    resources.set(
      table.resource,
      formerOf(known, { from: former.resource, to: table.resource }, existed),
    );
    fields.set(table.resource, fieldsOf(lineage, table, { former, origins }));
  }
  return { resources, fields };
}

function fieldsOf(
  lineage: Lineage,
  table: Table,
  { former, origins }: { readonly former: Table; readonly origins: Origins },
): ReadonlyMap<string, Former> {
  const known = lineage.fields.get(former.resource);
  const existed = (field: string) => former.columns.some((column) => column.field === field);
  const found = new Map<string, Former>();
  for (const { name, field } of table.columns) {
    const origin = origins.column(table.name, name);
    const before = origin === null ? null : columnIn(former, origin).field;
    if (field === null || before === null) continue;
    const renamed = formerOf(
      known?.get(before) ?? neverRenamed,
      { from: before, to: field },
      existed,
    );
    const values = origins.values(table.name, name).map(([one, now]) => valueKey(one, now));
    found.set(field, { ...renamed, values: new Set([...renamed.values, ...values]) });
  }
  return found;
}

const neverRenamed: Former = { names: new Set(), tookName: false, values: new Set() };

function formerOf(
  former: Former,
  { from, to }: { readonly from: string; readonly to: string },
  existed: (name: string) => boolean,
): Former {
  if (from === to) return former;
  return { ...former, names: new Set([...former.names, from]), tookName: existed(to) };
}
