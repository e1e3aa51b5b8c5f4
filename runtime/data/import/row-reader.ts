import type { FileRow, RowIssue } from "../../resource/index.js";
import { bareCell } from "../../values/files/spreadsheet.js";
import type { FileRecord } from "../read/source.js";
import { cellValue } from "../read/value.js";
import {
  type Columns,
  columnsOf,
  type FileFields,
  fieldColumn,
  repeatedColumn,
  unknownColumn,
} from "./columns.js";
import type { ImportRequest } from "./request.js";
import { namesToPrint, type PrintedNames } from "./unnamed.js";

/** A record of the file, read by the fields of its columns. */
export interface ReadRow {
  readonly record: FileRecord;
  /** Its values as a body of the API has them; null where it cannot be read. */
  readonly row: FileRow | null;
  /** Why it cannot be read. */
  readonly unread: readonly RowIssue[];
}

/** Reads records of a file by the fields of its columns. */
export interface RowReader {
  readonly columns: Columns;
  read(record: FileRecord): ReadRow;
}

type ReadersRequest = Pick<ImportRequest, "map" | "isFromSpreadsheet">;

/** `linked` are links whose values name a record by another column, which reads them. */
export function rowReader(
  definition: FileFields,
  request: ReadersRequest,
  names: readonly string[] | null,
  linked: ReadonlyMap<string, Parameters<typeof cellValue>[0]>,
): RowReader {
  const columns = columnsOf(definition, request, names);
  const columnAt = (key: string): Parameters<typeof cellValue>[0] =>
    linked.get(key) ?? fieldColumn(definition, key) ?? { kind: "text" };
  const fields = (names ?? []).map((name) => {
    const key = columns.fieldOf(name);
    return typeof key === "string" ? { key, column: columnAt(key) } : null;
  });
  const bare = request.isFromSpreadsheet ? bareCell : (cell: string) => cell;

  function ofCells(cells: readonly string[]): FileRow {
    const values: Record<string, unknown> = {};
    const issues: { path: string; message: string }[] = [];
    for (let at = 0; at < fields.length; at += 1) {
      const field = fields[at] ?? null;
      if (field === null) continue;
      const read = cellValue(field.column, bare(cells[at] ?? ""));
      if ("value" in read) values[field.key] = read.value;
      else issues.push({ path: field.key, message: read.message });
    }
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
      else values[key] = value;
      if (key !== undefined) seen.add(key);
    }
    return { values, issues };
  }

  return {
    columns,
    read(record) {
      const { content } = record;
      switch (content.kind) {
        case "cells":
          return { record, row: ofCells(content.cells), unread: [] };
        case "object":
          return { record, row: ofObject(content.values), unread: [] };
        case "unread":
          return { record, row: null, unread: [{ path: null, message: content.problem }] };
      }
    },
  };
}
