import { accountsTable, type Model, type Resource } from "../../model/model.js";

/**
 * The tables whose changes are logged: those of resources with `changes`, and those that decide who owns their records.
 * What happens there moves somebody's rights, and is not sent.
 */
export function loggedTables({ resources }: Model): ReadonlySet<string> {
  const told = resources.filter(({ changes }) => changes !== null);
  return new Set(told.flatMap((resource) => [resource.table, ...decidingTables(resource)]));
}

/** The tables on the way to a record's owner, memberships among them. */
function decidingTables({ owner, team }: Resource): readonly string[] {
  const way = (owner ?? []).map(({ target }) => target).filter((table) => table !== accountsTable);
  // What the way to a group ends at is the group: only its memberships say who owns what.
  return team === null ? way : [...way.slice(0, -1), team.table];
}
