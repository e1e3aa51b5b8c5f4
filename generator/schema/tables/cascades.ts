import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../../../runtime/values/schema/schema.js";
import { listWords } from "../../../runtime/values/text.js";

/**
 * Returns remarks about further deletes caused by `onDelete: cascade`, one for each resource for which they have
 * changed.
 */
export function cascadeRemarks(before: Schema, after: Schema): readonly string[] {
  const former = cascadesOf(before);
  return [...cascadesOf(after)]
    .filter(([target, resources]) => !isDeepStrictEqual(former.get(target), resources))
    .map(([target, resources]) => {
      const others = listWords(resources.map((name) => `"${name}"`));
      return `Deleting a record of "${target}" will delete the records of ${others} that belong to it`;
    });
}

/** For each resource, the resources whose records are deleted with its records; omitted if there are none. */
function cascadesOf({ tables }: Schema): ReadonlyMap<string, readonly string[]> {
  const nameOf = new Map(tables.map(({ name, resource }) => [`public.${name}`, resource]));
  const directCascades = new Map<string, Set<string>>();
  for (const { resource, columns } of tables) {
    for (const { link } of columns) {
      if (link?.onDelete !== "cascade") continue;
      const target = nameOf.get(`${link.schema}.${link.table}`) ?? link.table;
      directCascades.set(target, (directCascades.get(target) ?? new Set()).add(resource));
    }
  }
  const all = (target: string, found = new Set<string>()): Set<string> => {
    for (const resource of directCascades.get(target) ?? []) {
      if (!found.has(resource)) all(resource, found.add(resource));
    }
    return found;
  };
  return new Map([...directCascades.keys()].map((target) => [target, [...all(target)].sort()]));
}
