import type { Operand } from "../expression/operand.js";

/** How fields of a kind are computed, and take part in the expressions of others. */
export interface Computing<F> {
  operand(field: F): Operand;
  /** SQL of a value that the field can have, from that of any; null if no field of the kind is computed. */
  result(field: F, sql: string): string | null;
}
