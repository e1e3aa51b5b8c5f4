import type { Actor } from "../../own-code/index.js";
import type { Table } from "../table/table.js";
import { AppCodeFailed } from "./failure.js";

/** The maximum nesting level: a request's write is level one, a write by one of its hooks level two, and so on. */
const maxLevels = 8;

/** Stops hooks that would write to each other's resources endlessly; the log names them. */
export function checkLevel(
  { unit, chain = [] }: Actor,
  { table, kind }: { readonly table: Table<never>; readonly kind: string },
): void {
  if (chain.length < maxLevels) return;
  const links = [...chain, `${kind} of ${table.resource}`].join(" → ");
  const error = new AppCodeFailed("A write", `is nested ${chain.length + 1} levels deep: ${links}`);
  // If app code caught this error, endless retries would follow.
  if (unit !== undefined) unit.fatal ??= { error };
  throw error;
}
