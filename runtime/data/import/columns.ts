import type { Column } from "../../resource/index.js";
import { nearest } from "../../values/nearest.js";
import type { ImportRequest, Mistake } from "./request.js";
import { namesToPrint } from "./unnamed.js";

/** Columns of a file of refused rows, which are skipped when it is imported. */
export const ownColumns = ["_row", "_line", "_column", "_message"] as const;

/** The possible contents of a file: the fields of a resource or of accounts. */
export interface FileFields {
  readonly table: {
    readonly columns: Readonly<Record<string, FileColumn>>;
    /** Set for an adopted table: in required texts, "" is a value. */
    readonly adopted?: true;
  };
  readonly shapes: {
    readonly create: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>>;
  };
}

type FileColumn = Pick<Column, "kind" | "computed" | "readOnly"> &
  Partial<Pick<Column, "required">>;

/** The column of a field; null if there is no such field. */
export function fieldColumn({ table: { columns } }: FileFields, key: string): FileColumn | null {
  return Object.hasOwn(columns, key) ? (columns[key] ?? null) : null;
}

/** Whether an empty cell is an empty text in the column. */
export function keepsEmpty({ table: { adopted } }: FileFields, column: FileColumn): boolean {
  return adopted === true && column.required === true && textKinds.has(column.kind);
}

const textKinds: ReadonlySet<string> = new Set<Column["kind"]>(["string", "text", "padded"]);

/** The columns of a file, or the keys of its JSON records. */
export interface Columns {
  /** The field of a column; null for a skipped column, undefined for an unknown one. */
  fieldOf(column: string): string | null | undefined;
  /** Whether an option sets a value of the field. */
  fills(field: string): boolean;
  /** The column of a field, or the columns joined for it; null if the file has none. */
  columnOf(field: string): string | null;
  /** The position of a field by which mistakes are sorted: that of its column, or of the field itself. */
  placeOf(field: string): number;
}

type NamedColumns = Pick<ImportRequest, "map" | "join" | "set">;

/** Renames columns as `--map` specifies, and joins them as `--join` does. */
export function columnsOf(
  of: FileFields,
  { map, join, set }: NamedColumns,
  /** The names in the file; null if each record has its own. */
  names: readonly string[] | null,
): Columns {
  const mapped = new Map(Object.entries(map));
  const joins = Object.entries(join);
  const skipped = new Set<string>([...ownColumns, ...joins.flatMap(([, parts]) => parts)]);
  const fieldOf = (column: string) => {
    const given = mapped.get(column);
    if (given !== undefined) return given === "" ? null : given;
    if (skipped.has(column)) return null;
    const field = fieldColumn(of, column);
    if (field === null) return undefined;
    return field.computed === undefined && field.readOnly === undefined ? column : null;
  };
  const byField = new Map<string, { readonly column: string; readonly first: string }>();
  const keys = Object.keys(of.table.columns);
  for (const name of names ?? [...mapped.keys()]) {
    const field = fieldOf(name);
    if (typeof field === "string") byField.set(field, { column: name, first: name });
  }
  for (const [field, parts] of joins) {
    byField.set(field, { column: parts.join("+"), first: parts[0] ?? "" });
  }
  const columnOf = (field: string) => {
    if (names === null) return byField.get(field)?.column ?? field;
    return Object.hasOwn(set, field) ? null : (byField.get(field)?.column ?? null);
  };
  return {
    fieldOf,
    fills: (field) => Object.hasOwn(set, field) || columnOf(field) !== null,
    columnOf,
    placeOf: (field) => {
      const column = byField.get(field);
      if (names !== null && column !== undefined) return names.indexOf(column.first);
      const place = keys.indexOf(field);
      return place < 0 ? -1 : keys.length + place;
    },
  };
}

/** The message for an unknown column. */
export function unknownColumn({ table }: FileFields, column: string): string {
  const meant = nearest(column, Object.keys(table.columns));
  return meant === null ? "This is not a field" : `This is not a field: did you mean "${meant}"?`;
}

export const repeatedColumn = "This column is repeated";

/** The message for a column whose field an option sets. */
export function filledColumn(option: "set" | "join", field: string): string {
  return `--${option} fills ${field}: skip this column`;
}

/** The mistakes in the header of a CSV file, as row 0. */
export function headerMistakes(
  definition: FileFields,
  { columns, line }: { readonly columns: readonly string[]; readonly line: number | null },
  request: NamedColumns & Pick<ImportRequest, "upsert">,
): readonly Mistake[] {
  const { map, upsert, join, set } = request;
  const known = columnsOf(definition, request, columns);
  const mistakes: Mistake[] = [];
  const refuse = (column: string | null, message: string) =>
    mistakes.push({ row: 0, line, column, message });
  const seen = new Set<string>();
  const { isHeader, nameOf } = namesToPrint(columns, (name) => known.fieldOf(name) !== undefined);
  if (!isHeader) refuse(null, "The first row contains values, but must contain the column names");
  for (const [place, column] of columns.entries()) {
    const field = known.fieldOf(column);
    if (field === undefined) refuse(nameOf(place), unknownColumn(definition, column));
    if (typeof field !== "string") continue;
    if (seen.has(field)) refuse(column, repeatedColumn);
    seen.add(field);
  }
  for (const [option, fields] of [["set", set] as const, ["join", join] as const]) {
    for (const field of Object.keys(fields)) {
      const column = columns.find((name) => known.fieldOf(name) === field);
      if (column !== undefined) refuse(column, filledColumn(option, field));
      seen.add(field);
    }
  }
  for (const [column, field] of Object.entries(map)) {
    if (field !== "" && !columns.includes(column)) {
      refuse(null, `There is no column ${JSON.stringify(column)} to map to ${field}`);
    }
  }
  for (const [field, parts] of Object.entries(join)) {
    for (const part of parts) {
      const many = columns.filter((name) => name === part).length;
      if (many > 1) refuse(part, repeatedColumn);
      if (many > 0) continue;
      refuse(null, `There is no column ${JSON.stringify(part)} to join to ${field}`);
    }
  }
  if (upsert !== null) {
    for (const key of upsert.split("+").filter((one) => !seen.has(one))) {
      refuse(null, `No column for ${key}, which identifies the records`);
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
