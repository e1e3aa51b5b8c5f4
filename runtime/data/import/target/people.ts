import type { Queryable } from "../../../db/index.js";
import type { PeopleTable, WantedColumns } from "../../read/people.js";
import type { ImportRequest } from "../request.js";

/** The columns that a request reads: those of its options, and `email` and `name` if no option is about these fields. */
export function peopleColumns({
  map,
  join,
  set,
}: Pick<ImportRequest, "map" | "join" | "set">): WantedColumns {
  return (names) => {
    const taken = new Set([...Object.values(map), ...Object.keys(join), ...Object.keys(set)]);
    const fields = new Map(Object.entries(map).filter(([, field]) => field !== ""));
    for (const [field, parts] of Object.entries(join)) {
      for (const part of parts) if (!fields.has(part)) fields.set(part, field);
    }
    for (const field of ["email", "name"]) {
      if (!taken.has(field) && !Object.hasOwn(map, field)) fields.set(field, field);
    }
    return new Map([...fields].filter(([name]) => names.includes(name)));
  };
}

/** Locks the rows with these keys until the transaction ends; returns the keys of those that have no account. */
export async function holdPeople(
  { query }: Queryable,
  { table, key, account }: PeopleTable,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await query<{ id: string }>(
    `select ${key}::text as id
     from ${table}
     where ${key} = any ($1) and ${account} is null
     order by ${key}
     for update`,
    [keys],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Links rows to their accounts, by the rows' keys. */
export async function linkPeople(
  { query }: Queryable,
  { table, key, account }: PeopleTable,
  accounts: ReadonlyMap<string, string>,
): Promise<void> {
  if (accounts.size === 0) return;
  await query(
    `update ${table} as _people
     set ${account} = _linked.account
     from unnest($1::text[], $2::uuid[]) as _linked (key, account)
     where _people.${key} = any ($3) and _people.${key}::text = _linked.key`,
    [[...accounts.keys()], [...accounts.values()], [...accounts.keys()]],
  );
}
