import type { Column, Columns, Table } from "../../../runtime/resource/table/table.js";

type Tables = ReadonlyMap<string, Table<never>>;

/** Column of a closed field in SQL; no other name contains it. */
export const closedName = "_closed";

/** A caller who has no role may read none of the fields that these tables close. */
const readers = { read: ["keeper"] } as const;

/**
 * The tables of an app, by resource, where nobody without a role may read these fields of one: their columns have
 * another name, so that each place where a statement names one is seen. Records that have an owner are the owner's alone.
 */
export function closeFields(tables: Tables, resource: string, keys: readonly string[]): Tables {
  const closed = new Map<string, Table<never>>();
  // Each table is looked up when it is needed: they link to each other.
  const standIn = (table: () => Table<never>) => () => {
    const found = closed.get(table().resource);
    if (found === undefined) throw new Error("A table leads out of its app");
    return found;
  };
  for (const [name, table] of tables) {
    const changed = name === resource ? withClosed(table, keys) : table;
    const { links, inverses, cascades } = table;
    const accountOnly = (of: Table<never>["links"]) =>
      mapped(of ?? {}, (one) =>
        one.table === undefined ? one : { ...one, table: standIn(one.table) },
      );
    closed.set(name, {
      ...changed,
      access: accessOf(table),
      ...(links && { links: accountOnly(links) }),
      ...(inverses && {
        inverses: mapped(inverses, (one) => ({ ...one, table: standIn(one.table) })),
      }),
      ...(cascades && {
        cascades: cascades.map((one) => ({ ...one, table: standIn(one.table) })),
      }),
    });
  }
  return closed;
}

function accessOf({ owner }: Table<never>): Table<never>["access"] {
  const rule = owner === undefined ? "signed-in" : (["owner"] as const);
  return { list: rule, get: rule, stats: rule, create: rule, update: rule, delete: rule };
}

function withClosed(table: Table<never>, keys: readonly string[]): Table<never> {
  const columns = mapped<Column>(table.columns, (column, key) =>
    keys.includes(key) ? closedColumn(column) : column,
  ) as Columns<never>;
  const uniques = table.uniques?.map((rule) => ({
    ...rule,
    matches: mapped(rule.matches, (match, key) => (keys.includes(key) ? matchClosed : match)),
  }));
  return { ...table, columns, ...(uniques && { uniques }) };
}

function closedColumn(column: Column): Column {
  const { unique, counts } = { unique: undefined, counts: undefined, ...column };
  return {
    ...column,
    ...readers,
    name: closedName,
    ...(unique && { unique: { ...unique, match: matchClosed } }),
    ...(counts && { counts: counts.map((_, at) => `${closedName}_${at}`) }),
  } as Column;
}

function matchClosed(value: string): string {
  return `${closedName} = ${value}`;
}

function mapped<Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).map(([key, one]) => [key, change(one, key)]));
}

/** The columns by which records have their owners: the condition on own rows names them, whoever may read them. */
export function ownerColumns(tables: Tables): ReadonlySet<string> {
  const texts = [...tables.values()].flatMap(({ owner }) =>
    owner === undefined ? [] : [owner.column, owner.leadsTo?.("link", (end) => end) ?? ""],
  );
  return new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
}
