import { isDeepStrictEqual } from "node:util";
import { listWords } from "../../../runtime/values/text.js";
import type { Schema } from "./schema.js";

/**
 * What a delete will also delete by `onDelete: cascade`: a sentence for each resource for which that
 * has changed.
 */
export function cascadeRemarks(before: Schema, after: Schema): readonly string[] {
  const former = deletedWith(before);
  return [...deletedWith(after)]
    .filter(([target, resources]) => !isDeepStrictEqual(former.get(target), resources))
    .map(([target, resources]) => {
      const those = listWords(resources.map((name) => `"${name}"`));
      return `Deleting a record of "${target}" will delete the records of ${those} that belong to it`;
    });
}

/** For each resource that has some, the resources whose records are deleted with one of its own. */
function deletedWith({ tables }: Schema): ReadonlyMap<string, readonly string[]> {
  const nameOf = new Map(tables.map(({ name, resource }) => [`public.${name}`, resource]));
  const direct = new Map<string, Set<string>>();
  for (const { resource, columns } of tables) {
    for (const { link } of columns) {
      if (link?.onDelete !== "cascade") continue;
      const target = nameOf.get(`${link.schema}.${link.table}`) ?? link.table;
      direct.set(target, (direct.get(target) ?? new Set()).add(resource));
    }
  }
  const all = (target: string, found = new Set<string>()): Set<string> => {
    for (const resource of direct.get(target) ?? []) {
      if (!found.has(resource)) all(resource, found.add(resource));
    }
    return found;
  };
  return new Map([...direct.keys()].map((target) => [target, [...all(target)].sort()]));
}
