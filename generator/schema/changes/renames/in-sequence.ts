import type { ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import { movingName } from "../../../../runtime/values/schema/object-names.js";
import { valuesOf } from "../../../../runtime/values/schema/renamed-value.js";
import { columnIn, type Schema, tableIn } from "../../../../runtime/values/schema/schema.js";

type RenameTable = ChangeOf<"renameTable">;
type RenameColumn = ChangeOf<"renameColumn">;
type RenameValue = ChangeOf<"renameValue">;

/** Orders the renames so that each new name is free; in a cycle, one table gets a temporary name. */
export function tablesInSequence(tables: readonly RenameTable[]): readonly RenameTable[] {
  return inSequence(tables, {
    from: ({ table }) => table,
    to: ({ to }) => to.name,
    aside: (rename) => {
      const name = movingName(rename.table);
      return [
        { ...rename, to: { name, resource: name } },
        { ...rename, table: name },
      ];
    },
  });
}

/** Orders the renames of columns in the same way, per table. */
export function columnsInSequence(columns: readonly RenameColumn[]): readonly RenameColumn[] {
  return [...new Set(columns.map(({ table }) => table))].flatMap((table) =>
    inSequence(
      columns.filter((rename) => rename.table === table),
      {
        from: ({ column }) => column,
        to: ({ to }) => to.name,
        aside: (rename) => {
          const name = movingName(rename.column);
          return [
            { ...rename, to: { name, field: name } },
            { ...rename, column: name },
          ];
        },
      },
    ),
  );
}

/** Orders the renames of values in the same way, per column. */
export function valuesInSequence(
  values: readonly RenameValue[],
  schema: Schema,
): readonly RenameValue[] {
  const columns = new Map(
    values.map(({ table, column }) => [`${table}.${column}`, { table, column }]),
  );
  return [...columns.values()].flatMap(({ table, column }) => {
    const own = values.filter((rename) => rename.table === table && rename.column === column);
    const names = new Set([
      ...(valuesOf(columnIn(tableIn(schema, table), column)) ?? []),
      ...own.map(({ to }) => to),
    ]);
    return inSequence(own, {
      from: ({ value }) => value,
      to: ({ to }) => to,
      aside: (rename) => {
        const name = movingValue(names);
        names.add(name);
        return [
          { ...rename, to: name },
          { ...rename, value: name },
        ];
      },
    });
  });
}

/** A temporary value that the column does not have. */
function movingValue(names: ReadonlySet<string>): string {
  let number = 1;
  while (names.has(`moving ${number}`)) number += 1;
  return `moving ${number}`;
}

interface Ways<Rename> {
  from(rename: Rename): string;
  to(rename: Rename): string;
  /** Splits a rename into two, with a temporary name in between. */
  aside(rename: Rename): readonly [Rename, Rename];
}

function inSequence<Rename>(renames: readonly Rename[], ways: Ways<Rename>): readonly Rename[] {
  const done: Rename[] = [];
  let open = renames;
  while (open.length > 0) {
    const isFree = (rename: Rename) =>
      open.every((other) => other === rename || ways.from(other) !== ways.to(rename));
    const next = open.find(isFree);
    if (next !== undefined) {
      done.push(next);
      open = open.filter((other) => other !== next);
      continue;
    }
    const [first, ...others] = open;
    if (first === undefined) break;
    const [away, back] = ways.aside(first);
    done.push(away);
    open = [...others, back];
  }
  return done;
}
