import { pathsOf } from "../../model/condition-path.js";
import type { Model, Resource } from "../../model/model.js";

/** Returns the resources with a trash whose records determine to which deleted records a rule grants access. */
export function trashPath(resource: Resource, { resources }: Model): readonly Resource[] {
  const { owner, team, access, trash } = resource;
  if (trash === null) return [];
  const rules = [
    access.list,
    access.get,
    access.delete,
    ...(trash.purge === null ? [] : [trash.purge]),
  ];
  const tables = new Set([
    ...rules.flatMap((rule) => pathsOf(rule).map(({ table }) => table)),
    ...(owner ?? []).map(({ target }) => target),
    ...(team === null ? [] : [team.table]),
  ]);
  return resources.filter(({ table, trash: own }) => own !== null && tables.has(table));
}
