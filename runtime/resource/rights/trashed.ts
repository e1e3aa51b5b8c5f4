import { withSchema } from "../../values/sql/table-name.js";
import { sqlLiteral } from "../../values/sql/text.js";
import {
  hasUuids,
  idColumn,
  idEquals,
  idIn,
  idOfTable,
  idSqlType,
  isStored,
  keptId,
  plainName,
  storedName,
  unquoted,
} from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import { purgeRule, type TableRule } from "../table/rule.js";
import { type Column, type Columns, columnOf, type Owner, type Table } from "../table/table.js";
import { byRole } from "./by-role.js";
import { type SomeRows, someRows } from "./grants/grants.js";
import { onceFor } from "./once-for.js";
import { withFields } from "./readable.js";
import { type View, wholeView } from "./view.js";

/** The CTE with a table's deleted rows, from the source of their view. */
const name = "_trash";

const deletedAt: Column = { name: "deleted_at", kind: "timestamp", required: true };
const deletedBy: Column = { name: "deleted_by", kind: "account", required: false };
const noAccount: Column = { ...deletedBy, name: "null::uuid" };

/**
 * The deleted records of a table, as a table: their last state, with the time and the account of their deletion. The
 * tables on the path to their owners include deleted rows as well: a CTE replaces the table with its name.
 */
export const trashedTable = onceFor((table: Table<never>) => trashOf(table, deletedBy));

/** The same for callers who may not read the names of accounts. */
const unnamedTable = onceFor((table: Table<never>) => trashOf(table, noAccount));

function trashOf(table: Table<never>, by: Column): Table<never> & Pick<View, "source"> {
  const { inverses: _inverses, links, queries, columns, owner, trash, ...others } = table;
  const source = sourceOf(table);
  // The id in the trash has an index.
  const found = hasUuids(table) ? idEquals(table, "$1") : `_kept = ${keptId(table, "$1")}`;
  return {
    ...others,
    ...(links !== undefined && { links: withoutLists(links, columns) }),
    name,
    tally: `(select 1 as total from ${name}) as _tally`,
    columns: trashedColumns(columns, by),
    ...(owner !== undefined && { owner: uncounted(owner) }),
    ...(trash !== undefined && { trash }),
    queries: {
      ...queries,
      get: ({ record, row }) =>
        `${source} select ${record} as json, '' as version from ${name} where ${found} and ${row}`,
    },
    source,
  };
}

/** Lists in the trash have no entries to follow. */
function withoutLists(links: Required<Table<never>>["links"], columns: Columns<never>) {
  return Object.fromEntries(
    Object.entries(links).filter(
      ([, { field }]) => columnOf({ columns }, field)?.entries === undefined,
    ),
  );
}

function uncounted({ counts: _, ...owner }: Owner): Owner {
  return owner;
}

/** Puts `deletedAt` and `deletedBy` before `createdAt`; the tally counts no values. */
function trashedColumns(columns: Columns<never>, by: Column): Columns<never> {
  const entries = Object.entries<Column>(columns).map(([key, column]): [string, Column] => {
    const { counts: _, ...own } = column;
    return [key, own];
  });
  const at = entries.length - 2;
  return Object.fromEntries(
    entries.toSpliced(at, 0, ["deletedAt", deletedAt], ["deletedBy", by]),
  ) as unknown as Columns<never>;
}

function sourceOf(table: Table<never>): string {
  const around = (table.trash?.path?.() ?? []).map(
    (other) =>
      `${other.name} as not materialized (${livingRows(other)} union all ${deletedRows(other)} and not ${isLiving(other)})`,
  );
  const more = hasUuids(table) ? "" : ", id as _kept";
  const own = `${name} as not materialized (${deletedRows(table, `, deleted_at, deleted_by${more}`)})`;
  return `with ${[own, ...around].join(",\n")}`;
}

function livingRows(table: Table<never>): string {
  const columns = storedColumns(table).map(storedName);
  return `select ${columns.join(", ")} from ${withSchema(table.name)}`;
}

/** SQL may have inserted a row with the id of a deleted one: the current row takes precedence. */
function isLiving(table: Table<never>): string {
  return `exists (select from ${withSchema(table.name)} as living where living.${idColumn(table)} = ${idIn(table, "trash")})`;
}

function storedColumns({ columns }: Table<never>): readonly Column[] {
  return Object.values<Column>(columns).filter(isStored);
}

/** A value that does not fit its column's type is stored separately, so that all others can be cast. */
function deletedRows(table: Table<never>, more = ""): string {
  const values = storedColumns(table).map((column) => {
    if (column === idOfTable(table)) return keptIds(table);
    const { sqlType, isSearched, isList, hasMembers } = kindOf(column);
    const key = sqlLiteral(unquoted(storedName(column)));
    if (column.local !== undefined) return `(image ->> ${key})::timestamp as ${storedName(column)}`;
    if (hasMembers) return `nullif(image -> ${key}, 'null') as ${column.name}`;
    if (sqlType === "uuid[]") return `${arrayOf(key, sqlType)} as ${column.name}`;
    const value = isList ? listOf(key) : `(image ->> ${key})`;
    // With the type, or the collation, of the column.
    const typed = isSearched ? `${value} collate "und-x-icu"` : `${value}::${sqlType}`;
    return `${typed} as ${column.name}`;
  });
  return `select ${values.join(", ")}${more} from service.trash where table_name = ${sqlLiteral(plainName(table))}`;
}

/** SQL for the id of a deleted row, as in its table's column. */
function keptIds(table: Table<never>): string {
  const column = idColumn(table);
  if (!hasUuids(table)) return `key::${idSqlType(table)} as ${column}`;
  return column === "id" ? column : `id as ${column}`;
}

/**
 * SQL for the elements of a list. A list field that is newer than the deletion is empty, and a value that does not fit
 * its type is null.
 */
function listOf(key: string): string {
  return `coalesce(service.elements_of(image -> ${key}), case when (unfit ? ${key}) is not true then '{}'::text[] end)`;
}

/** SQL for a list of links, which the row's image contains as a JSON array. */
function arrayOf(key: string, sqlType: string): string {
  return `array(select jsonb_array_elements_text(image -> ${key}))::${sqlType}`;
}

/**
 * The deleted records that a caller with this role may both read by the action and delete, without fields that the role
 * may not read. Names of accounts are omitted for callers who may not read them.
 */
export const trashedBy = {
  named: byRole((table, action, role) =>
    viewBy(trashedTable(table), [table.access[action], table.access.delete], role),
  ),
  unnamed: byRole((table, action, role) =>
    viewBy(unnamedTable(table), [table.access[action], table.access.delete], role),
  ),
} as const;

/** The deleted records to which the rule of one action grants a caller with this role access. */
export const trashByRule = byRole((table, action, role) =>
  viewBy(trashedTable(table), [table.access[action]], role),
);

/** All deleted records, for the app itself. */
export const wholeTrash = onceFor((table: Table<never>): View => {
  const trashed = trashedTable(table);
  const { source = "" } = trashed;
  return { ...wholeView(trashed), source };
});

/** All deleted records in their last state, for app code. */
export const plainTrash = onceFor((table: Table<never>): View => {
  const trashed = trashedTable(table);
  const { source = "" } = trashed;
  return { ...wholeView({ ...trashed, columns: table.columns }), source };
});

/** SQL that is true if the table has a deleted record with this id, given as SQL. */
export function inTrash(table: Table<never>, id: string): string {
  if (table.trash === undefined) return "false";
  return `exists (select from service.trash where table_name = ${sqlLiteral(plainName(table))} and trash.id = ${keptId(table, id)})`;
}

/** The table with the rule of `purge` in place of that of `delete`. */
export const purging = onceFor((table: Table<never>): Table<never> => {
  return { ...table, access: { ...table.access, delete: purgeRule(table) } };
});

function viewBy(
  trashed: Table<never> & Pick<View, "source">,
  rules: readonly TableRule[],
  role: string | null,
): View {
  const { source = "" } = trashed;
  const parts = rules.flatMap((rule) => someRows(trashed, rule, role) ?? []);
  const own = allOf(parts);
  return { ...withFields(trashed, role), ...(own !== null && { own }), source };
}

/**
 * The rows that meet all parts; null for all rows. PostgreSQL does not turn the conditions into joins, for which it
 * would need the number of deleted rows: right after many deletions its statistics are outdated.
 */
function allOf(parts: readonly SomeRows[]): SomeRows | null {
  if (parts.length === 0) return null;
  return {
    row: (row, account) => {
      const conditions = parts.map((part) => `(${part.row(row, account)}) is true`);
      return [...new Set(conditions)].join(" and ");
    },
    ...{ count: null, equal: null, isOwnerLink: false },
    isOfAccount: parts.some(({ isOfAccount }) => isOfAccount),
    isConditional: parts.some(({ isConditional }) => isConditional),
  };
}
