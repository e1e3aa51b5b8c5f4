import type { FileRow, RowIssue } from "../../resource/index.js";
import { bareCell } from "../../values/files/spreadsheet.js";
import type { FileRecord } from "../read/source.js";
import { cellValue, type ReadValue } from "../read/value.js";
import {
  type Columns,
  columnsOf,
  type FileFields,
  fieldColumn,
  repeatedColumn,
  unknownColumn,
} from "./columns.js";
import type { ImportRequest } from "./request.js";

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
    const row = newRow();
    for (const [at, field] of fields.entries()) {
      if (field !== null) row.set(field.key, cellValue(field.column, bare(cells[at] ?? "")));
    }
    return row;
  }

  function ofObject(object: Readonly<Record<string, unknown>>): FileRow {
    const row = newRow();
    const seen = new Set<string>();
    for (const [name, value] of Object.entries(object)) {
      const key = columns.fieldOf(name);
      if (key === null) continue;
      if (key === undefined) row.refuse(name, unknownColumn(definition, name));
      else if (seen.has(key)) row.refuse(name, repeatedColumn);
      else row.set(key, { value });
      if (key !== undefined) seen.add(key);
    }
    return row;
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

function newRow() {
  const values: Record<string, unknown> = {};
  const issues: { path: string; message: string }[] = [];
  const refuse = (path: string, message: string) => issues.push({ path, message });
  return {
    values,
    issues,
    refuse,
    set(key: string, read: ReadValue): void {
      if ("value" in read) values[key] = read.value;
      else refuse(key, read.message);
    },
  };
}
