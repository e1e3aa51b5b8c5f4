import type { Field, Resource } from "../../api/client/types.js";
import { readCell } from "../../kinds/cells/cell-problem.js";
import { enImport } from "../../text/en/import.js";
import { numbersInFile } from "../../text/file-numbers.js";
import type { NumberText } from "../../text/number-text.js";
import type { Table } from "./csv.js";
import { importFields, type Mapping, type Target } from "./mapping.js";
import { type FileNotation, nothingTyped, readNotation } from "./notation/notation.js";

const text = enImport.cells;

/** A row as an operation of a batch. */
export type Operation =
  | { readonly create: string; readonly values: Values }
  | { readonly upsert: string; readonly by: string; readonly values: Values };

export type Values = Readonly<Record<string, unknown>>;

/** A problem of a row: its first line, the column and the cell. */
export interface Problem {
  readonly line: number;
  readonly column: string;
  readonly cell: string;
  readonly message: string;
}

export interface Checked {
  /** The rows that may be sent, in file order. */
  readonly operations: readonly Operation[];
  /** The line number of each operation. */
  readonly lines: readonly number[];
  readonly problems: readonly Problem[];
  readonly refusedRows: number;
}

/** By field, the ids of the records that a link's cells name; null unless there is exactly one. */
export type Found = Readonly<Record<string, ReadonlyMap<string, string | null>>>;

export interface CheckOptions {
  readonly resource: Resource;
  readonly mapping: Mapping;
  readonly found: Found;
  /** The unique field that identifies a row's record; null if the import only creates records. */
  readonly by: string | null;
  readonly notation?: FileNotation;
  /** Values for all rows, by field. */
  readonly fixed?: Values;
}

const usualNotation = readNotation(nothingTyped);

interface Column {
  readonly at: number;
  readonly name: string;
  readonly field: Field;
  readonly target: Target;
  readonly numbers: NumberText;
}

/** Checks every row by the API's rules, without sending any. */
export function checked(table: Table, options: CheckOptions): Checked {
  const { resource, mapping, found, by, notation = usualNotation, fixed = {} } = options;
  const columns = columnsOf(table, resource, mapping);
  const seen = new Map(
    columns
      .filter(({ field }) => field.unique === true)
      .map(({ field }) => [field.name, new Set<unknown>()]),
  );
  const operations: Operation[] = [];
  const lines: number[] = [];
  const problems: Problem[] = [];
  for (const [index, row] of table.rows.entries()) {
    const line = table.lines[index] ?? 0;
    const values: Record<string, unknown> = { ...fixed };
    const own: Problem[] = [];
    const refuse = ({ name, at, target }: Column, message: string) =>
      own.push({ line, column: name, cell: notation.cellOf(row, at, target), message });
    for (const column of columns) {
      const { at, field, target, numbers } = column;
      const cell = notation.cellOf(row, at, target);
      if (cell.trim() === "") {
        const empty = emptyOf(field, by);
        if (empty.message !== null) refuse(column, empty.message);
        else if (empty.isSent) values[field.name] = field.list === true ? [] : null;
        continue;
      }
      const read =
        target.by === null
          ? readCell(field, cell, { ...notation, numbers })
          : linkOf(found[field.name], cell);
      if (read.kind === "problem") {
        refuse(column, read.message);
        continue;
      }
      if (seen.get(field.name)?.has(read.value)) refuse(column, text.repeated);
      else seen.get(field.name)?.add(read.value);
      values[field.name] = read.value;
    }
    problems.push(...own);
    if (own.length > 0) continue;
    operations.push(
      by === null ? { create: resource.name, values } : { upsert: resource.name, by, values },
    );
    lines.push(line);
  }
  const unread = table.unread.map((one) => ({ ...one, column: "", cell: "" }));
  return {
    operations,
    lines,
    problems: [...problems, ...unread].sort((one, other) => one.line - other.line),
    refusedRows: table.rows.length + unread.length - operations.length,
  };
}

function columnsOf({ head }: Table, resource: Resource, mapping: Mapping): readonly Column[] {
  const fields = importFields(resource);
  return mapping.flatMap((target, at) => {
    const field = fields.find(({ name }) => name === target?.field);
    if (target === null || field === undefined) return [];
    const numbers = numbersInFile(target.numbers ?? null);
    return [{ at, name: head[at] ?? "", field, target, numbers }];
  });
}

/** The value of an empty cell: the default for a new record, null for an existing one. */
function emptyOf(
  { name, required, default: usual }: Field,
  by: string | null,
): { readonly message: string | null; readonly isSent: boolean } {
  const hasDefault = usual !== undefined && usual !== null;
  if (name === by || (required === true && !hasDefault)) {
    return { message: text.required, isSent: false };
  }
  return { message: null, isSent: by !== null && required !== true };
}

function linkOf(ids: ReadonlyMap<string, string | null> | undefined, cell: string) {
  const id = ids?.get(cell.trim());
  return id === undefined || id === null
    ? { kind: "problem" as const, message: text.noRecord }
    : { kind: "value" as const, value: id };
}
