import { csvLine, spreadsheetLine } from "../../../../../values/files/csv-line.js";
import { spreadsheetMark } from "../../../../../values/files/spreadsheet.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { labelOf, linked, readableFields, titleOf } from "../../../api/records/descriptors.js";
import type { Params } from "../../../api/records/naming.js";
import { kindOf } from "../../../kinds/kinds.js";
import { shownParams } from "../../../kinds/query/list-parameters.js";

/** `csv` is for people; `exact` and `json` are the formats of `service export`. */
export type ExportFormat = "csv" | "exact" | "json";

/** How records are requested and written in a format. */
export interface ExportFile {
  readonly extension: "csv" | "json";
  readonly type: string;
  readonly params: Params;
  readonly head: string;
  readonly end: string;
  /** `before` is the number of records already written. */
  rows(rows: readonly Row[], before: number): string;
}

interface Exported {
  readonly resource: Resource;
  readonly resources: readonly Resource[];
  /** The displayed fields in their order. */
  readonly columns: readonly Field[];
}

/** Returns how to request records for a format, and how to write them. */
export function exportFile(format: ExportFormat, exported: Exported): ExportFile {
  const { resource } = exported;
  switch (format) {
    case "csv":
      return forSpreadsheets(exported);
    case "exact":
      return forPrograms(resource);
    case "json":
      return asJson(resource);
  }
}

function forSpreadsheets({ resource, resources, columns }: Exported): ExportFile {
  const title = (field: Field, row: Row) => {
    const record = linked(field, row);
    if (field.resource === undefined || record === null) return null;
    return titleOf(
      resources.find(({ name }) => name === field.resource),
      record,
    );
  };
  const line = (row: Row) =>
    spreadsheetLine([
      row.id,
      ...columns.map((field) => kindOf(field).print(field, row[field.name], title(field, row))),
    ]);
  return {
    extension: "csv",
    type: "text/csv",
    params: shownParams(resource, resources, columns).map(withWholeTexts),
    head: `${spreadsheetMark}${spreadsheetLine(["id", ...columns.map(labelOf)])}`,
    end: "",
    rows: (rows) => rows.map(line).join(""),
  };
}

/** Requests whole texts: a list requests only the beginning of a long text (`notes:120`). */
function withWholeTexts([key, value]: Params[number]): Params[number] {
  return [key, key === "fields" ? value.replace(/:\d+/g, "") : value];
}

function forPrograms(resource: Resource): ExportFile {
  const names = namesOf(resource);
  return {
    extension: "csv",
    type: "text/csv",
    params: [["fields", names.join(",")]],
    head: csvLine(names),
    end: "",
    rows: (rows) => rows.map((row) => csvLine(names.map((name) => exactCell(row[name])))).join(""),
  };
}

function asJson(resource: Resource): ExportFile {
  const names = namesOf(resource);
  const object = (row: Row) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
  return {
    extension: "json",
    type: "application/json",
    params: [["fields", names.join(",")]],
    head: "[",
    end: "\n]\n",
    rows: (rows, before) =>
      rows.map((row, at) => `${before + at === 0 ? "\n" : ",\n"}${object(row)}`).join(""),
  };
}

/** The field names in the order of `service export`. */
function namesOf(resource: Resource): readonly string[] {
  return ["id", ...readableFields(resource).map(({ name }) => name)];
}

function exactCell(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}
