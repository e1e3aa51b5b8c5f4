import type { FileRow, RowIssue } from "../../resource/index.js";
import { readDateFormat } from "../../values/csv/date-format.js";
import { type Notation, ownNotation } from "../../values/csv/notation.js";
import { joinedCell, replacer } from "../../values/csv/replaced.js";
import { bareCell } from "../../values/files/spreadsheet.js";
import { jsonFaults } from "../../values/stored-json/faults.js";
import { markedMembers } from "../../values/stored-json/unsound.js";
import { timesOf } from "../../values/timezone/times.js";
import type { Content, FileRecord } from "../read/source.js";
import { type CellColumn, cellValue } from "../read/value.js";
import {
  type Columns,
  columnsOf,
  type FileFields,
  fieldColumn,
  filledColumn,
  keepsEmpty,
  repeatedColumn,
  unknownColumn,
} from "./columns.js";
import { WrongName } from "./plan.js";
import type { ImportRequest } from "./request.js";
import { namesToPrint, type PrintedNames } from "./unnamed.js";

/** A record of the file, read by the fields of its columns. */
export interface ReadRow {
  readonly record: FileRecord;
  /** The record's values in the form of an API body; null if the record cannot be read. */
  readonly row: FileRow | null;
  /** Why the record cannot be parsed. */
  readonly unread: readonly RowIssue[];
}

/** Reads records of a file by the fields of its columns. */
export interface RowReader {
  readonly columns: Columns;
  read(record: FileRecord): ReadRow;
}

/** By link: the column of the target whose values the cells contain instead of ids. */
type Linked = ReadonlyMap<string, CellColumn>;

/** A field, and how its value is built from a row's cells. */
interface CellField {
  readonly key: string;
  readonly column: CellColumn;
  /** The index of the field's column. */
  readonly at: number;
  /** Builds the value from the cells; null if it is the column's cell, unchanged. */
  readonly cellOf: ((cells: readonly string[]) => string) | null;
}

/** The fields that rows may have, and the links that name records by a field other than `id`. */
interface Fields {
  readonly fields: FileFields;
  readonly linked: Linked;
}

/** Creates a parser of rows. `names` are the file's columns; null if each row has its own keys. */
export function rowReader(
  target: Fields,
  request: ImportRequest,
  names: readonly string[] | null,
): RowReader {
  const { fields: definition } = target;
  const columns = columnsOf(definition, request, names);
  const notation = notationOf(request);
  const fields = cellFields(target, request, names ?? []);
  const fixed = Object.entries(fixedValues(target, request));

  function ofCells(cells: readonly string[]): FileRow {
    const values: Record<string, unknown> = {};
    const issues: { path: string; message: string }[] = [];
    for (const { key, column, at, cellOf } of fields) {
      const cell = cellOf === null ? (cells[at] ?? "") : cellOf(cells);
      const read = cellValue(column, cell, notation);
      if ("value" in read) values[key] = read.value;
      else issues.push({ path: key, message: read.message });
    }
    for (const [key, value] of fixed) values[key] = value;
    return { values, issues };
  }

  function ofObject(object: Readonly<Record<string, unknown>>): FileRow {
    const values: Record<string, unknown> = {};
    const issues: { path: string; message: string }[] = [];
    const refuse = (path: string, message: string) => issues.push({ path, message });
    const seen = new Set<string>();
    let printed: PrintedNames | null = null;
    for (const [place, [name, value]] of Object.entries(object).entries()) {
      const key = columns.fieldOf(name);
      if (key === null) continue;
      if (key === undefined) {
        printed ??= namesToPrint(Object.keys(object), (one) => columns.fieldOf(one) !== undefined);
        refuse(printed.nameOf(place), unknownColumn(definition, name));
      } else if (seen.has(key)) refuse(name, repeatedColumn);
      else if (Object.hasOwn(request.set, key)) refuse(name, filledColumn("set", key));
      else values[key] = value;
      if (key !== undefined) seen.add(key);
    }
    for (const [key, value] of fixed) values[key] = value;
    return { values, issues };
  }

  function marked({ values, text }: Extract<Content, { kind: "object" }>) {
    const isJson = (name: string) => {
      const key = columns.fieldOf(name);
      const kind = typeof key === "string" ? fieldColumn(definition, key)?.kind : undefined;
      return kind === "json" || kind === "plainJson";
    };
    if (!Object.keys(values).some(isJson)) return values;
    return markedMembers(values, isJson, { faults: jsonFaults(text) });
  }

  return {
    columns,
    read(record) {
      const { content } = record;
      switch (content.kind) {
        case "cells":
          return { record, row: ofCells(content.cells), unread: [] };
        case "object":
          return { record, row: ofObject(marked(content)), unread: [] };
        case "unread":
          return { record, row: null, unread: [{ path: null, message: content.problem }] };
      }
    },
  };
}

function cellFields(
  target: Fields,
  request: ImportRequest,
  names: readonly string[],
): readonly CellField[] {
  const { fieldOf } = columnsOf(target.fields, request, names);
  const { bare, of } = replacer(request);
  const isPlain = request.nulls.length === 0 && !request.isFromSpreadsheet;
  const clean = request.isFromSpreadsheet ? (cell: string) => bare(bareCell(cell)) : bare;
  const fieldAt = (key: string, places: readonly number[]): CellField => {
    const replaced = of(key);
    const isAsItIs = isPlain && places.length === 1 && !Object.hasOwn(request.values, key);
    const [first = -1] = places;
    const cellAt = (cells: readonly string[], at: number) => clean(cells[at] ?? "");
    return {
      key,
      column: columnAt(target, key),
      at: first,
      cellOf: isAsItIs
        ? null
        : (cells) => replaced(joinedCell(places.map((at) => cellAt(cells, at)))),
    };
  };
  return [
    ...names.flatMap((name, at) => {
      const key = fieldOf(name);
      return typeof key === "string" ? [fieldAt(key, [at])] : [];
    }),
    ...Object.entries(request.join).map(([key, parts]) =>
      fieldAt(
        key,
        parts.map((part) => names.indexOf(part)),
      ),
    ),
  ];
}

function columnAt({ fields, linked }: Fields, key: string): CellColumn {
  const column = fieldColumn(fields, key);
  const own = column && { kind: column.kind, keepsEmpty: keepsEmpty(fields, column) };
  return linked.get(key) ?? own ?? { kind: "text" };
}

function notationOf({ decimal, dateFormat, timezone }: ImportRequest): Notation {
  return {
    decimal,
    dates: dateFormat === null ? null : readDateFormat(dateFormat),
    place: timezone === null ? null : timesOf(timezone),
  };
}

/**
 * The values that `--set` gives to all records.
 *
 * @throws {WrongName} for a value that its field does not accept.
 */
export function fixedValues(
  target: Fields,
  { set }: Pick<ImportRequest, "set">,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(set).map(([key, written]) => {
      const read = cellValue(columnAt(target, key), written, ownNotation);
      if ("message" in read) throw new WrongName(`--set: ${key}: ${read.message}`);
      return [key, read.value];
    }),
  );
}
