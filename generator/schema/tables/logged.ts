import { accountsTable, type Model, type Resource } from "../../model/model.js";

/**
 * The tables whose changes are logged: those of resources with `changes`, and those that determine
 * the owners of their records. Changes of the latter are not sent to callers.
 */
export function loggedTables({ resources }: Model): ReadonlySet<string> {
  const withChanges = resources.filter(({ changes }) => changes !== null);
  return new Set(withChanges.flatMap((resource) => [resource.table, ...decidingTables(resource)]));
}

/** The tables on the path to a record's owner, including memberships. */
function decidingTables({ owner, team }: Resource): readonly string[] {
  const way = (owner ?? []).map(({ target }) => target).filter((table) => table !== accountsTable);
  // The last table of the path to a group is the group itself: only its memberships determine
  // ownership.
  return team === null ? way : [...way.slice(0, -1), team.table];
}
