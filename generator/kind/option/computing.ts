import type { Operand } from "../../expression/operand.js";

/** How fields of a kind are computed, and how the expressions of other fields use them. */
export interface Computing<F> {
  operand(field: F): Operand;
  /** Returns SQL that converts a computed value to the field's type; null if fields of the kind cannot be computed. */
  result(field: F, sql: string): string | null;
}
