import type { Field } from "../../api/client/types.js";
import type { Cell, CellNotation } from "../kind.js";
import { kindOf } from "../kinds.js";

/** Parses a cell of pasted text or of a file. Messages about numbers are those of forms, which do not mention files. */
export function readCell(field: Field, text: string, notation: CellNotation): Cell {
  const { readCell: read, isNumeric, form } = kindOf(field);
  const cell = read(field, text, notation);
  if (cell.kind === "value" || !isNumeric) return cell;
  const typed = form.parse(field, text);
  return typed.kind === "problem" ? { kind: "problem", message: typed.message } : cell;
}
