import { pathsOf } from "../../model/condition-path.js";
import { accountsTable, type Model, type Resource } from "../../model/model.js";

/**
 * Returns the tables whose changes are logged: those of resources with `changes`, and those that determine the owners
 * or the visibility of their records. Changes of the latter may give a record another owner, or hide it; they are not
 * sent to callers.
 */
export function loggedTables({ resources }: Model): ReadonlySet<string> {
  const withChanges = resources.filter(({ changes }) => changes !== null);
  return new Set(withChanges.flatMap((resource) => [resource.table, ...decidingTables(resource)]));
}

/** Returns the tables on the paths of list conditions, and on the path to a record's owner, including memberships. */
function decidingTables({ owner, team, access }: Resource): readonly string[] {
  const paths = pathsOf(access.list).map(({ table }) => table);
  const way = (owner ?? []).map(({ target }) => target).filter((table) => table !== accountsTable);
  // The last table on the path to a group is the group itself: only its memberships determine ownership.
  return [...paths, ...(team === null ? way : [...way.slice(0, -1), team.table])];
}
