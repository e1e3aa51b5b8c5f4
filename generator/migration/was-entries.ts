import type { Change } from "../../runtime/values/schema/change-kinds.js";
import type { MigrationRecord } from "../../runtime/values/schema/history/record.js";
import { kindOf } from "../kind/kinds.js";
import type { Model } from "../model/model.js";
import type { CurrentFiles } from "../output/current.js";
import { currentManifest } from "../output/manifest.js";
import { type Former, type Lineage, valueKey } from "../schema/changes/lineage.js";

/**
 * Entries for the manifest: each `was` and `renamed` of the descriptors, by `products` or
 * `products.price`, and the last migration with a rename. Empty without such a migration.
 */
export function wasEntries(
  { resources }: Model,
  migrations: readonly MigrationRecord[],
): ReadonlyMap<string, string> {
  const last = lastRename(migrations);
  if (last === null) return new Map();
  const entries = resources.flatMap(({ name: resource, was, fields }) => [
    ...entry(keyOf(resource, null), was),
    ...fields.flatMap((field) => [
      ...entry(keyOf(resource, field.name), field.was),
      ...valuesEntry(valuesKeyOf(resource, field.name), kindOf(field).renamed(field)),
    ]),
  ]);
  return new Map([[lastRenameKey, last], ...entries]);
}

function entry(key: string, was: string | null): [string, string][] {
  return was === null ? [] : [[key, was]];
}

function valuesEntry(key: string, renamed: Readonly<Record<string, string>>): [string, string][] {
  const pairs = Object.entries(renamed).map(([value, to]) => valueKey(value, to));
  return pairs.length === 0 ? [] : [[key, pairs.sort().join("\n")]];
}

/**
 * Returns the lineage without renames whose `was` or `renamed` was missing at the last run; if it is added again, it
 * requests a new rename. If `generated/` was not written since the last rename, as after a merge that skipped it, all
 * renames count as done.
 */
export function sinceLastRun(
  lineage: Lineage,
  migrations: readonly MigrationRecord[],
  current: CurrentFiles,
): Lineage {
  const manifest = currentManifest(current);
  const last = lastRename(migrations);
  if (last === null || manifest.get(lastRenameKey) !== last) return lineage;
  const kept = ({ names, tookName, values }: Former, key: string, valuesKey = ""): Former => {
    const was = manifest.get(key);
    const renamed = manifest.get(valuesKey)?.split("\n") ?? [];
    return {
      names: new Set(was !== undefined && names.has(was) ? [was] : []),
      tookName,
      values: new Set(renamed.filter((pair) => values.has(pair))),
    };
  };
  return {
    resources: mapped(lineage.resources, (former, name) => kept(former, keyOf(name, null))),
    fields: mapped(lineage.fields, (fields, resource) =>
      mapped(fields, (former, name) =>
        kept(former, keyOf(resource, name), valuesKeyOf(resource, name)),
      ),
    ),
  };
}

const lastRenameKey = "last rename";

function keyOf(resource: string, field: string | null): string {
  return `was of ${resource}${field === null ? "" : `.${field}`}`;
}

function valuesKeyOf(resource: string, field: string): string {
  return `renamed of ${resource}.${field}`;
}

function lastRename(migrations: readonly MigrationRecord[]): string | null {
  return migrations.findLast(({ changes }) => changes.some(isRename))?.name ?? null;
}

function isRename({ kind }: Change): boolean {
  return kind === "renameTable" || kind === "renameColumn" || kind === "renameValue";
}

function mapped<Value>(
  all: ReadonlyMap<string, Value>,
  change: (value: Value, key: string) => Value,
): ReadonlyMap<string, Value> {
  return new Map([...all].map(([key, value]) => [key, change(value, key)]));
}
