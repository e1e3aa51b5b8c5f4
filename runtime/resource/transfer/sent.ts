import type { BodyIssue } from "../../errors/index.js";
import { cellWords } from "../../values/files/cell-words.js";
import { onceFor } from "../rights/once-for.js";
import { inTrash } from "../rights/trashed.js";
import {
  idColumn,
  idSqlType,
  localValue,
  recordTimes,
  sentFields,
  sqlTypeOf,
  storedName,
} from "../table/column-keys.js";
import { leadsTo } from "../table/conflicts.js";
import { kindOf } from "../table/kinds/kinds.js";
import type { Column, Table } from "../table/table.js";
import { issuesOf, isTaken } from "../table/uniques.js";
import type { Create } from "../write/operation.js";
import { cellOf, nothing, valueCell } from "./copy-cell.js";
import { ownerLinks } from "./key.js";

/** A new record from a row of a file. */
export interface SentRow {
  readonly row: number;
  readonly line: number | null;
  /** The write. Its values are valid unless the row is marked as wrong. */
  readonly create: Pick<Create, "id" | "checked" | "given">;
  readonly isWrong: boolean;
  /** The name of the target in the file, by the link's key. */
  readonly names?: Readonly<Record<string, unknown>>;
}

/** A possible conflict of a row with other records. */
export interface Lookup {
  /** SQL over a row called `_sent`; true if there is a conflict. */
  readonly sql: string;
  readonly issues: readonly BodyIssue[];
  /** The columns of `_sent` that must be unique across rows; left out for links. */
  readonly unique?: readonly string[];
  /** Whether the unique columns ignore case. */
  readonly isFolded?: true;
  /** The column of `_sent` with links to records of the same table; left out for links to other tables. */
  readonly self?: string;
  /** Whether the lookup checks the storage key of a file. */
  readonly isFile?: boolean;
  /** For a list: SQL that selects the zero-based positions of the elements in conflict. */
  readonly places?: string;
}

/** SQL for the conflicts of a row called `_sent`, as an array of numbers that `issuesFound` decodes. */
export function conflictsFound(lookups: readonly Lookup[]): string {
  const whole = lookups.map(({ sql, self, places }, at) =>
    self === undefined && places === undefined ? `case when ${sql} then ${at} end` : "null",
  );
  // A number below `lookups.length` is the index of a lookup; a larger one encodes a lookup and an element of its list.
  const listed = lookups.flatMap(({ self, places }, at) =>
    self !== undefined || places === undefined
      ? []
      : [` || array(select ${numberAt(lookups, at)} from (${places}) as _listed (place))`],
  );
  return `array_remove(array[${whole.join(", ")}]::integer[], null)${listed.join("")}`;
}

/** SQL for the number that encodes a lookup and a `place` in its list. */
export function numberAt({ length }: readonly Lookup[], at: number): string {
  return `${at} + ${length} * (place + 1)`;
}

/** The issues that a number from `conflictsFound` encodes. */
export function issuesFound(lookups: readonly Lookup[], found: number): readonly BodyIssue[] {
  const issues = lookups[found % lookups.length]?.issues ?? [];
  const place = Math.floor(found / lookups.length) - 1;
  return place < 0 ? issues : issues.map((one) => ({ ...one, path: `${one.path}.${place}` }));
}

/** How several new records are sent to PostgreSQL as one parameter. */
export interface Sending {
  /** The column definitions of `_sent`. */
  readonly columns: string;
  readonly lookups: readonly Lookup[];
  /** A statement that inserts the rows of `from`, a source with the alias `_sent`. */
  insert(from: string): string;
  hasFile(row: SentRow): boolean;
  /** Statements that mark the files of the rows in `from` as used. */
  readonly use: readonly ((from: string) => string)[];
  json(rows: readonly SentRow[]): string;
  /** A row in the text format of `copy`, with separate columns for the target names of these links. */
  copied(row: SentRow, named: readonly string[]): string;
}

export function sentRows({ columns }: Sending): string {
  return `json_to_recordset($1) as _sent (${columns})`;
}

export const sending = onceFor((table: Table<never>): Sending => {
  const fields = sentFields(table);
  const types = fields.map(([, column], at) => `_${at} ${sqlTypeOf(column)}`);
  // Rows with lists in tables of other programs are stored one by one.
  const inRow = fields.flatMap(([, column], at) =>
    column.through === true ? [] : [{ column, value: `_sent._${at}` }],
  );
  const names = inRow.map(({ column }) => storedName(column));
  const values = inRow.map(({ column, value }) => localValue(column, value));
  const places = fields.map(([key], at) => [key, `_${at}`] as const);
  const sentRow = ({ row, line, create, isWrong, names: by }: SentRow) => {
    const { id, given } = create;
    const { values } = create.checked;
    const sent: Record<string, unknown> = { _row: row, _line: line, _wrong: isWrong, _id: id };
    sent._given = given?.hasId ?? false;
    for (const [key, place] of places) sent[place] = Reflect.get(values, key) ?? null;
    for (const key in by) sent[nameColumn(table, key)] = by[key];
    sent._created = given?.createdAt ?? null;
    sent._updated = given?.updatedAt ?? null;
    return sent;
  };
  const files = fields.flatMap(([key, column]) => (kindOf(column).isFile ? [key] : []));
  const times = recordTimes(table);
  const given = times.map(({ key, column }) => {
    const sent = `_sent.${key === "createdAt" ? "_created" : "_updated"}`;
    return localValue(column, `coalesce(${sent}, now())`);
  });
  const columns = [idColumn(table), ...names, ...times.map(({ column }) => storedName(column))];
  return {
    columns: `_row bigint, _line bigint, _wrong boolean, _given boolean, _id ${idSqlType(table)}, ${types.map((type) => `${type}, `).join("")}_created timestamptz, _updated timestamptz`,
    lookups: lookupsOf(table, fields),
    insert: (from) =>
      `insert into ${table.name} (${columns.join(", ")})
      select ${["_sent._id", ...values, ...given].join(", ")} from ${from} order by _sent._row`,
    hasFile: ({ create: { checked } }) =>
      files.some((key) => [Reflect.get(checked.values, key) ?? []].flat().length > 0),
    use: fields.flatMap(([, column], at) =>
      kindOf(column).isFile
        ? [
            (from: string) =>
              `update service.uploads set unused_since = null
              where unused_since is not null and key in (select ${kindOf(column).isList ? `unnest(_sent._${at})` : `_sent._${at}`} from ${from})`,
          ]
        : [],
    ),
    json: (rows) => JSON.stringify(rows.map(sentRow)),
    copied({ row, line, create, isWrong, names }, named) {
      const { id, given } = create;
      const { values } = create.checked;
      const cells = [row, line ?? nothing, isWrong, given?.hasId ?? false, id];
      for (const [key, column] of fields) {
        const value = Reflect.get(values, key) ?? null;
        const isIds = column.entries !== undefined && Array.isArray(value);
        cells.push(valueCell(isIds ? value : kindOf(column).parameter(value)));
      }
      cells.push(given?.createdAt ?? nothing, given?.updatedAt ?? nothing);
      for (const key of named) cells.push(cellOf(names?.[key]));
      return cells.join("\t");
    },
  };
});

/** The column with the name of a link's target. It is numbered, because field keys would need quotes. */
export function nameColumn(table: Table<never>, key: string): string {
  return `_by${placeOf(table, key).slice("_sent.".length)}`;
}

/** The column of `_sent` with the id, or with a field's value. */
export function placeOf(table: Table<never>, key: string): string {
  if (key === "id") return "_sent._id";
  return `_sent._${sentFields(table).findIndex(([one]) => one === key)}`;
}

function lookupsOf(table: Table<never>, fields: readonly (readonly [string, Column])[]): Lookup[] {
  const selves = new Set(ownerLinks(table));
  const taken = (match: string) => `exists (select from ${table.name} where ${match})`;
  const ofId: Lookup = {
    sql: `(_sent._given and (${taken(`${table.name}.${idColumn(table)} = _sent._id`)} or ${inTrash(table, "_sent._id")}))`,
    issues: [{ path: "id", message: cellWords.taken }],
    unique: ["_sent._id"],
  };
  const ofFields = fields.flatMap(([key, column], at) => {
    const value = `_sent._${at}`;
    const found: Lookup[] = [];
    if (column.unique !== undefined) {
      const issues = [{ path: key, message: cellWords.taken }];
      const anyCase = column.unique.anyCase === true && { isFolded: true as const };
      found.push({ sql: taken(column.unique.match(value)), issues, unique: [value], ...anyCase });
    }
    if (column.entries !== undefined) {
      const { isFile, missing } = kindOf(column);
      const listed = `unnest(${value}) with ordinality as _listed (id, at) where not ${leadsTo(column.entries, "_listed.id")}`;
      const issues = [{ path: key, message: missing }];
      const places = `select at::integer - 1 from ${listed}`;
      const self = selves.has(key) && { self: value };
      found.push({ sql: `exists (select from ${listed})`, issues, isFile, places, ...self });
      // Two different names in a file may refer to the same record. All other lists are checked before they are sent.
      if (self) found.push(repeatedIn(key, value));
    }
    if (column.link !== undefined) {
      const issues = [{ path: key, message: kindOf(column).missing }];
      const sql = `(${value} is not null and not ${column.link.match(value)})`;
      const { isFile } = kindOf(column);
      found.push({ sql, issues, isFile, ...(selves.has(key) && { self: value }) });
    }
    return found;
  });
  const ofRules = (table.uniques ?? []).map((rule): Lookup => {
    const sqlOf = (key: string) => placeOf(table, key);
    const sql = isTaken(table, rule, { sqlOf, except: "" });
    return { sql, issues: issuesOf(rule), unique: Object.keys(rule.matches).map(sqlOf) };
  });
  return [ofId, ...ofFields, ...ofRules];
}

function repeatedIn(key: string, list: string): Lookup {
  const repeated = `unnest(${list}) with ordinality as _listed (id, at) where at > array_position(${list}, id)`;
  return {
    sql: `exists (select from ${repeated})`,
    issues: [{ path: key, message: cellWords.listedTwice }],
    places: `select at::integer - 1 from ${repeated}`,
  };
}
