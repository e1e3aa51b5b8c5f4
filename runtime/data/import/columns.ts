import type { Column } from "../../resource/index.js";
import { nearest } from "../../values/nearest.js";
import type { ImportRequest, Mistake } from "./request.js";
import { namesToPrint } from "./unnamed.js";

/** Columns of a file of refused rows, which are skipped when it is imported. */
export const ownColumns = ["_row", "_line", "_column", "_message"] as const;

/** What a file can hold: the fields of a resource, or those of accounts. */
export interface FileFields {
  readonly table: { readonly columns: Readonly<Record<string, Pick<Column, "kind">>> };
  readonly shapes: {
    readonly create: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>>;
  };
}

/** The column of a field; null for any other word. */
export function fieldColumn(
  { table: { columns } }: FileFields,
  key: string,
): Pick<Column, "kind"> | null {
  return Object.hasOwn(columns, key) ? (columns[key] ?? null) : null;
}

/** What the columns of a file, or the keys of its JSON records, are. */
export interface Columns {
  /** The field of a column; null for a skipped column, undefined for an unknown one. */
  fieldOf(column: string): string | null | undefined;
  /** The column of a field; null where the file has none. */
  columnOf(field: string): string | null;
  /** The place of a field in the order in which mistakes are reported: that of the columns, or of the fields. */
  placeOf(field: string): number;
}

/** Renames columns as `--map` says. */
export function columnsOf(
  of: FileFields,
  { map }: Pick<ImportRequest, "map">,
  /** The names in the file; null where each record has its own. */
  names: readonly string[] | null,
): Columns {
  const mapped = new Map(Object.entries(map));
  const ignored = new Set<string>(ownColumns);
  const fieldOf = (column: string) => {
    const given = mapped.get(column);
    if (given !== undefined) return given === "" ? null : given;
    if (fieldColumn(of, column) !== null) return column;
    return ignored.has(column) ? null : undefined;
  };
  const byField = new Map<string, string>();
  const keys = Object.keys(of.table.columns);
  for (const name of names ?? [...mapped.keys()]) {
    const field = fieldOf(name);
    if (typeof field === "string") byField.set(field, name);
  }
  return {
    fieldOf,
    columnOf: (field) => {
      const column = byField.get(field);
      if (column !== undefined) return column;
      return names === null ? field : null;
    },
    placeOf: (field) => {
      const column = byField.get(field);
      if (names !== null && column !== undefined) return names.indexOf(column);
      const place = keys.indexOf(field);
      return place < 0 ? -1 : keys.length + place;
    },
  };
}

/** What is wrong with an unknown column. */
export function unknownColumn({ table }: FileFields, column: string): string {
  const meant = nearest(column, Object.keys(table.columns));
  return meant === null ? "This is not a field" : `This is not a field: did you mean "${meant}"?`;
}

export const repeatedColumn = "This column is there more than once";

/** What is wrong with the header of a CSV file, as mistakes of row 0. */
export function headerMistakes(
  definition: FileFields,
  { columns, line }: { readonly columns: readonly string[]; readonly line: number },
  { map, upsert }: Pick<ImportRequest, "map" | "upsert">,
): readonly Mistake[] {
  const known = columnsOf(definition, { map }, columns);
  const mistakes: Mistake[] = [];
  const refuse = (column: string | null, message: string) =>
    mistakes.push({ row: 0, line, column, message });
  const seen = new Set<string>();
  const { isHeader, nameOf } = namesToPrint(columns, (name) => known.fieldOf(name) !== undefined);
  if (!isHeader) refuse(null, "The first row holds values: the names of the columns must be there");
  for (const [place, column] of columns.entries()) {
    const field = known.fieldOf(column);
    if (field === undefined) refuse(nameOf(place), unknownColumn(definition, column));
    if (typeof field !== "string") continue;
    if (seen.has(field)) refuse(column, repeatedColumn);
    seen.add(field);
  }
  for (const [column, field] of Object.entries(map)) {
    if (field !== "" && !columns.includes(column)) {
      refuse(null, `There is no column ${JSON.stringify(column)} to map to ${field}`);
    }
  }
  if (upsert !== null) {
    for (const key of upsert.split("+").filter((one) => !seen.has(one))) {
      refuse(null, `No column for ${key}, by which records are found`);
    }
    return mistakes;
  }
  for (const [key, schema] of Object.entries(definition.shapes.create)) {
    if (!seen.has(key) && !schema.safeParse(undefined).success) {
      refuse(null, `No column for ${key}, which is required`);
    }
  }
  return mistakes;
}
