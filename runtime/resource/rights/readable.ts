import { allMembers, jsonOf } from "../table/record-json.js";
import {
  type Action,
  type Columns,
  columnOf,
  type RelatedTable,
  type Table,
} from "../table/table.js";
import { account } from "./account.js";
import { byRole } from "./by-role.js";
import { closedKeys, isForOwnOnly } from "./rules.js";
import { without } from "./without.js";

/**
 * The table as an account with this role may read it by that action: without the fields that it may not read,
 * and with own records only where the rule admits it as the owner only.
 */
export const readable = byRole((table, action, role) =>
  withOwnRows(withFields(table, role), table.access[action], role),
);

/** The table without the fields that the role may not read, and everything that uses them. */
export function withFields(table: Table<never>, role: string | null): Table<never> {
  const closed = closedKeys(table, "read", role);
  if (closed.length === 0) return table;
  const columns = without(table.columns, closed) as Columns<never>;
  const record = `${jsonOf(allMembers({ ...table, columns }))}::text`;
  const { links } = table;
  return {
    ...table,
    columns,
    ...(links !== undefined && { links: linksBy(links, columns) }),
    queries: withRecord(table.queries, record),
  };
}

function linksBy(
  links: Readonly<Record<string, RelatedTable>>,
  columns: Columns<never>,
): Readonly<Record<string, RelatedTable>> {
  const named = Object.entries(links).filter(([, { field }]) => columnOf({ columns }, field));
  return Object.fromEntries(named);
}

/** The emitted statements contain the record's SQL literally, so it is replaced in their texts. */
function withRecord(queries: Table<never>["queries"], record: string): Table<never>["queries"] {
  const shown = (text: string) => text.replaceAll(queries.record, () => record);
  return {
    ...queries,
    record,
    get: shown(queries.get),
    insert: shown(queries.insert),
    replace: shown(queries.replace),
  };
}

/** The table with own records only, where the rule admits the role as their owner only. */
export function withOwnRows(
  table: Table<never>,
  rule: Table<never>["access"][Action],
  role: string | null,
): Table<never> {
  const { name, queries } = table;
  const own = ownRowsOf(table, rule, role);
  if (own === null) return table;
  const found = (text: string) => text.replace(byId, () => `${byId} and ${own(name)}`);
  const get = found(queries.get);
  return {
    ...table,
    own,
    queries: { ...queries, get, replace: found(queries.replace), delete: found(queries.delete) },
  };
}

/** The clause by which the emitted statements find a record. */
const byId = "where id = $1";

/** SQL that is true for an own row, itself SQL; null where the rule admits the role to all rows. */
export function ownRowsOf(
  { owner }: Table<never>,
  rule: Table<never>["access"][Action],
  role: string | null,
): ((row: string) => string) | null {
  if (owner === undefined || !isForOwnOnly(rule, role)) return null;
  const { column, leadsTo } = owner;
  if (leadsTo !== undefined) return (row) => leadsTo(`${row}.${column}`, account);
  return (row) => `${row}.${column} = ${account}`;
}
