import type { RowIssue } from "../../resource/index.js";
import type { FileRecord } from "../read/source.js";
import type { Columns } from "./columns.js";
import type { Mistake } from "./request.js";

/** Maximum number of mistakes in a result. */
export const maxListed = 100;

type Place = Pick<FileRecord, "row" | "line" | "id">;

/** The mistakes of an import: the first ones and their number. */
export interface Mistakes {
  /** Records the mistakes of a refused row. */
  refuse(at: Place, issues: readonly RowIssue[]): void;
  /** Converts the issues of a row to mistakes in the file's columns, in column order. */
  listed(at: Place, issues: readonly RowIssue[]): readonly Mistake[];
  /** Records mistakes of rows that are counted elsewhere, of which only the first are known. */
  addFound(
    first: readonly (Place & { readonly issues: readonly RowIssue[] })[],
    all: { readonly mistakes: number; readonly refused: number },
  ): void;
  readonly total: number;
  readonly refused: number;
  /** The mistakes of the first rows, in order. */
  first(): readonly Mistake[];
}

export function newMistakes(columns: Columns): Mistakes {
  const listed: { readonly mistake: Mistake; readonly place: number }[] = [];
  let total = 0;
  let refused = 0;
  /** Splits a path into a field and the path within its value; a name in the file may contain dots. */
  const partsOf = (path: string) => {
    const [field = "", ...inside] = path.split(".");
    const isPart = inside.length > 0 && columns.placeOf(path) < 0 && columns.placeOf(field) >= 0;
    return isPart ? { field, inside: inside.join(".") } : { field: path, inside: "" };
  };
  const mistakeOf = (at: Place, { path, message }: RowIssue): Mistake => {
    const { row, line, id } = at;
    const place = { row, line, ...(id !== undefined && { id }) };
    if (path === null) return { ...place, column: null, message };
    const { field, inside } = partsOf(path);
    const column = columns.columnOf(field);
    // The message names a field that has no column, or the part of the value.
    const about = column === null ? path : inside;
    return { ...place, column, message: about === "" ? message : `${about}: ${message}` };
  };
  const placeOf = ({ path }: RowIssue) =>
    path === null ? -1 : columns.placeOf(partsOf(path).field);
  const inOrder = (at: Place, issues: readonly RowIssue[]) =>
    issues
      .map((issue) => ({ mistake: mistakeOf(at, issue), place: placeOf(issue) }))
      .sort((one, other) => one.place - other.place);
  return {
    listed: (at, issues) => inOrder(at, issues).map(({ mistake }) => mistake),
    refuse(at, issues) {
      total += issues.length;
      refused += 1;
      const free = maxListed - listed.length;
      if (free > 0) listed.push(...inOrder(at, issues).slice(0, free));
    },
    addFound(first, all) {
      total += all.mistakes;
      refused += all.refused;
      listed.push(...first.flatMap(({ issues, ...at }) => inOrder(at, issues)));
      listed.sort((one, other) => one.mistake.row - other.mistake.row || one.place - other.place);
      listed.splice(maxListed);
    },
    get total() {
      return total;
    },
    get refused() {
      return refused;
    },
    first: () => listed.map(({ mistake }) => mistake),
  };
}
