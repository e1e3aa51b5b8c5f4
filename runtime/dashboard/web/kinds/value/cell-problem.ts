import type { Field } from "../../api/client/types.js";
import type { Cell, CellNotation } from "../kind.js";
import { kindOf } from "../kinds.js";

/** A cell of a paste or a file; a refused number has the words of a form, which knows no file. */
export function readCell(field: Field, text: string, notation: CellNotation): Cell {
  const { readCell: read, isNumeric, form } = kindOf(field);
  const cell = read(field, text, notation);
  if (cell.kind === "value" || !isNumeric) return cell;
  const typed = form.parse(field, text);
  return typed.kind === "problem" ? { kind: "problem", message: typed.message } : cell;
}
