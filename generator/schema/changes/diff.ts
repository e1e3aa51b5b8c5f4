import { isDeepStrictEqual } from "node:util";
import { applyChange, linkedInUse, withEntries } from "../../../runtime/values/schema/change.js";
import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import type { Column, Link, Schema, Table } from "../../../runtime/values/schema/schema.js";
import {
  droppedEntries,
  keepEntries,
  newLinks,
  releasedEntries,
  releaseEntries,
} from "./entries.js";
import { createIndexes, dropIndexes } from "./indexes.js";
import {
  columnOf,
  hasField,
  keepCounts,
  keepLog,
  keepTrash,
  keepWords,
  type Pair,
} from "./kept.js";
import { pairsIntoEntries, pairsIntoRows } from "./pairs.js";
import { columnsInSequence, tablesInSequence, valuesInSequence } from "./renames/in-sequence.js";
import type { Renames } from "./renames/renames.js";

/**
 * The changes from one schema to another, in the order in which they are applied: renames,
 * additions, alterations, then drops.
 */
export function diffSchemas(from: Schema, to: Schema, renames: Renames): readonly Change[] {
  const changes: Change[] = [];
  let schema = from;
  const then = (step: (now: Schema, to: Schema) => readonly Change[]): void => {
    for (const change of step(schema, to)) {
      changes.push(change);
      schema = applyChange(schema, change);
    }
  };
  // Dropped objects free their names for others.
  then((now) => dropConflictingTables(now, renames));
  then(() => tablesInSequence(renames.tables));
  then((now) => pairs(now, to).flatMap((pair) => dropConflictingColumns(pair, renames)));
  then(() => columnsInSequence(renames.columns));
  then((now) => valuesInSequence(renames.values, now));
  then(createTables);
  then((now) => pairsIntoRows(now, renames));
  for (const { name } of to.tables) {
    then((now) => pairs(now, to, name).flatMap(addColumns));
    then((now) => pairs(now, to, name).flatMap(releaseColumns));
    then((now) => pairs(now, to, name).flatMap(changeColumns));
    then((now) => pairs(now, to, name).flatMap(keepEntries));
    then((now) => pairs(now, to, name).flatMap(createIndexes));
    then((now) => pairs(now, to, name).flatMap(keepCounts));
    then((now) => pairs(now, to, name).flatMap((one) => [...keepLog(one), ...keepTrash(one)]));
    then((now) => pairs(now, to, name).flatMap(dropIndexes));
    then((now) => pairs(now, to, name).flatMap(dropColumns));
  }
  // Indexed words may come from fields of other tables.
  then((now) => pairs(now, to).flatMap(keepWords));
  then(() => pairsIntoEntries(renames));
  then(dropTables);
  return changes;
}

function pairs(now: Schema, to: Schema, name?: string): readonly Pair[] {
  return to.tables
    .filter((table) => name === undefined || table.name === name)
    .flatMap((table) => {
      const former = now.tables.find((candidate) => candidate.name === table.name);
      return former === undefined ? [] : [{ former, table }];
    });
}

/** Drops tables whose names others take, after the links to them. Links that are still needed are recreated later. */
function dropConflictingTables({ tables }: Schema, { tables: renamed }: Renames): Change[] {
  const moved = new Set(renamed.map(({ table }) => table));
  const taken = new Set(renamed.map(({ to }) => to.name));
  const dropped = tables
    .map(({ name }) => name)
    .filter((name) => taken.has(name) && !moved.has(name));
  return dropWithLinks(
    tables,
    dropped,
    ({ schema, table }) => schema === "public" && dropped.includes(table),
  );
}

function dropConflictingColumns({ former, table }: Pair, { columns: renamed }: Renames): Change[] {
  const own = renamed.filter((change) => change.table === table.name);
  const moved = new Set(own.map(({ column }) => column));
  const taken = new Set(table.columns.map(({ name }) => name));
  const replaced = new Set(own.map(({ to }) => to.name));
  const dropped = former.columns
    .filter(
      ({ name, field }) =>
        taken.has(name) && !moved.has(name) && (replaced.has(name) || !hasField(table, field)),
    )
    .map(({ name }) => name);
  const stays = (column: string) => !dropped.includes(column);
  return [
    ...release(former, former, stays),
    ...releasedEntries(former, (column) => !stays(column)),
    ...dropped.map((column): Change => ({ kind: "dropColumn", table: former.name, column })),
  ];
}

/**
 * Creates all tables before the first link, so that links may be circular. Links to existing tables come last, because
 * those tables are locked until the transaction ends.
 */
function createTables(now: Schema, to: Schema): Change[] {
  const created = to.tables.filter(({ name }) => now.tables.every((one) => one.name !== name));
  const links = created.flatMap(newLinks);
  const names = new Set(created.map(({ name }) => name));
  const isUsed = (change: Change) => linkedInUse(change, now, (table) => names.has(table)) !== null;
  return [
    ...created.map((table): Change => ({ kind: "createTable", table: withoutLinks(table) })),
    ...links.filter((link) => !isUsed(link)),
    ...created.flatMap((table) => createIndexes({ former: withoutLinks(table), table })),
    ...created.flatMap((table) => keepCounts({ former: withoutLinks(table), table })),
    ...created.flatMap((table) => keepLog({ former: withoutLinks(table), table })),
    ...created.flatMap((table) => keepTrash({ former: withoutLinks(table), table })),
    ...links.filter(isUsed),
  ];
}

function withoutLinks({ logged: _, trash: _trash, words: _words, ...table }: Table): Table {
  const columns = table.columns.map((column) => ({ ...withEntries(column, null), link: null }));
  return { ...table, columns, indexes: [], counts: null, search: [] };
}

function addColumns({ former, table }: Pair): Change[] {
  return table.columns
    .filter(({ field }) => !hasField(former, field))
    .map((column) => ({
      kind: "addColumn",
      table: table.name,
      column: withEntries(column, null),
    }));
}

/** Removes columns from the tally, full-text search and lists before they are replaced or dropped. */
function releaseColumns({ former, table }: Pair): Change[] {
  const typeIn = ({ columns }: Table, column: string) =>
    columns.find(({ name }) => name === column)?.type;
  const released = release(former, table, (column) => {
    const type = typeIn(former, column);
    return type !== undefined && type === typeIn(table, column);
  });
  return [...released, ...releaseEntries({ former, table })];
}

/** Reduces the tally and full-text search to the remaining columns. */
function release(former: Table, table: Table, stays: (column: string) => boolean): Change[] {
  const { name } = former;
  const to = (table.counts ?? []).filter(({ column }) => stays(column));
  const isCounted =
    table.counts !== null && (former.counts?.some(({ column }) => !stays(column)) ?? false);
  const isSearched = former.search.some((column) => !stays(column));
  return [
    ...(isCounted ? [{ kind: "setTally", table: name, to } as const] : []),
    ...(isSearched
      ? [{ kind: "setSearch", table: name, to: table.search.filter(stays) } as const]
      : []),
  ];
}

function changeColumns(pair: Pair): Change[] {
  const replaced = pair.table.columns.filter((column) => {
    const former = columnOf(pair.former, column.field);
    return column.field !== null && former !== null && former.type !== column.type;
  });
  return pair.table.columns.flatMap((column): Change[] => {
    const former = columnOf(pair.former, column.field);
    if (former === null || column.field === null) return [];
    if (!replaced.includes(column)) return changeColumn(pair.table.name, former, column);
    const later = new Set(replaced.slice(replaced.indexOf(column) + 1).map(({ name }) => name));
    const indexes = pair.table.indexes.filter(
      ({ keys, expression }) =>
        keys.some((key) => key.column === column.name) &&
        // An index on an expression requires the new types of all its columns.
        !(expression !== undefined && keys.some((key) => later.has(key.column))),
    );
    const next = withEntries(column, null);
    return [{ kind: "replaceColumn", table: pair.table.name, from: former, column: next, indexes }];
  });
}

function changeColumn(table: string, former: Column, column: Column): Change[] {
  const of = { table, column: column.name };
  const changes: Change[] = [];
  if (former.kind !== column.kind) {
    changes.push({ kind: "setKind", ...of, from: former.kind, to: column.kind });
  }
  if (former.default !== column.default) {
    changes.push({ kind: "setDefault", ...of, from: former.default, to: column.default });
  }
  if (!isDeepStrictEqual(former.check, column.check)) {
    changes.push({ kind: "setCheck", ...of, from: former.check, to: column.check });
  }
  if (!isDeepStrictEqual(former.link, column.link)) {
    changes.push({ kind: "setLink", ...of, from: former.link, to: column.link });
  }
  if (!isDeepStrictEqual(plain(former.schema), plain(column.schema))) {
    const [from, to] = [former.schema ?? null, column.schema ?? null];
    changes.push({ kind: "setSchema", ...of, from, to });
  }
  if (former.required !== column.required) {
    changes.push({ kind: "setRequired", ...of, from: former.required, to: column.required });
  }
  return changes;
}

/** Returns a comparable copy, as a schema read from a file has objects without a prototype. */
function plain(schema: Column["schema"]): unknown {
  return schema === undefined ? undefined : JSON.parse(JSON.stringify(schema));
}

function dropColumns({ former, table }: Pair): Change[] {
  return former.columns
    .filter(({ field }) => !hasField(table, field))
    .map(({ name: column }) => ({ kind: "dropColumn", table: former.name, column }));
}

/** Drops tables, after the links between them. */
function dropTables(now: Schema, to: Schema): Change[] {
  const dropped = now.tables.filter(({ name }) => to.tables.every((table) => table.name !== name));
  const names = dropped.map(({ name }) => name);
  return dropWithLinks(dropped, names, ({ schema }) => schema === "public");
}

function dropWithLinks(
  tables: readonly Table[],
  dropped: readonly string[],
  isReleased: (link: Link) => boolean,
): Change[] {
  return [
    ...tables.flatMap((one) => droppedEntries(one, dropped)),
    ...tables.flatMap(({ name: table, columns }) =>
      columns.flatMap(({ name: column, link }): Change[] =>
        link !== null && isReleased(link)
          ? [{ kind: "setLink", table, column, from: link, to: null }]
          : [],
      ),
    ),
    ...dropped.map((name): Change => ({ kind: "dropTable", table: name })),
  ];
}
