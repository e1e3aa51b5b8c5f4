import { listCellSql } from "../../values/csv/list-cell.js";
import { nearest } from "../../values/nearest.js";
import { predicateSql } from "../query/predicate.js";
import { Reach } from "../query/reach.js";
import { InvalidWhere, readWhere } from "../query/where.js";
import type { Statement } from "../rights/account.js";
import { wholeView } from "../rights/view.js";
import { idColumn, idSqlType, shownColumn } from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import { recordOf } from "../table/record-json.js";
import type { Column, Table } from "../table/table.js";

/** The records to write to a file, and their fields. */
export interface Chosen {
  /** Keys of fields; null for all. */
  readonly fields: readonly string[] | null;
  /** A filter as a JSON value; undefined for every record. */
  readonly where?: unknown;
}

/** The `select` statements of an export. They apply no rules of access. */
export interface FileSelect {
  /** The selected keys, in order. */
  readonly keys: readonly string[];
  /** Selects each field as text, as in the API's JSON, ordered by id. */
  readonly cells: string;
  /** Selects each record as JSON text, in the same order. */
  readonly records: string;
  /** Statements to run first in the same transaction; empty if every record is selected. */
  readonly before: readonly Statement[];
}

/** A mistake in the field names or in the filter. */
export class WrongChoice extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/**
 * Returns the `select` statements of the chosen records. `copy` accepts no parameters, so the ids that match a `where`
 * are first stored in a temporary table.
 *
 * @throws {WrongChoice} for the first mistake.
 */
export function selectForFile(table: Table<never>, { fields, where }: Chosen): FileSelect {
  const columns = Object.entries<Column>(table.columns);
  const wanted = fields === null ? null : new Set(["id", ...knownFields(table, fields)]);
  const shown = columns.filter(([key]) => wanted?.has(key) ?? true);
  const before = where === undefined ? [] : chosenIds(table, where);
  const id = idColumn(table);
  const rows = before.length === 0 ? "" : ` where ${id} in (select id from ${chosen})`;
  const from = `from ${table.name}${rows} order by ${table.name}.${id}`;
  const members = shown.map(([key, column]) => ({ key, value: shownColumn(column) }));
  const cells = shown.map(([, column]) => cellText(column));
  return {
    keys: members.map(({ key }) => key),
    cells: `select ${cells.join(", ")} ${from}`,
    records: `select ${recordOf(members)} ${from}`,
    before,
  };
}

/** The temporary table of ids. No table of an app begins with an underscore. */
const chosen = "pg_temp._chosen";

function chosenIds(table: Table<never>, where: unknown): readonly Statement[] {
  const reach = new Reach(null);
  const view = wholeView(table);
  try {
    const sql = predicateSql(readWhere(view, where, reach), reach, view.name);
    return [
      // The temporary table is the transaction's only write, so its commit waits for no standby.
      { text: "set local synchronous_commit = off", parameters: [] },
      {
        text: `create temporary table _chosen (id ${idSqlType(view)}) on commit drop`,
        parameters: [],
      },
      {
        text: `insert into ${chosen} select ${view.name}.${idColumn(view)} from ${view.name} where ${sql}`,
        parameters: reach.values,
      },
    ];
  } catch (error) {
    if (error instanceof InvalidWhere) throw new WrongChoice(`--where: ${error.message}`);
    throw error;
  }
}

function knownFields({ columns }: Table<never>, names: readonly string[]): readonly string[] {
  const keys = Object.keys(columns);
  for (const [at, name] of names.entries()) {
    if (!keys.includes(name)) {
      const meant = nearest(name, keys);
      const hint =
        meant === null ? `the fields are: ${keys.join(", ")}` : `did you mean "${meant}"?`;
      throw new WrongChoice(`--fields: ${JSON.stringify(name)} is not a field`, hint);
    }
    if (names.indexOf(name) < at) throw new WrongChoice(`--fields names ${name} twice`);
  }
  return names;
}

/** `copy` would write a boolean as `t` or `f`. */
function cellText(column: Column): string {
  if (kindOf(column).isList) return listCellSql(`to_json(${shownColumn(column)})`);
  return column.kind === "boolean" ? `${column.name}::text` : shownColumn(column);
}
