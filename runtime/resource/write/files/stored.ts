import { refuse } from "../../../errors/index.js";
import type { Reader } from "../../record/read.js";
import type { Statement } from "../../rights/account.js";
import type { Values } from "../../table/conflicts.js";
import { kindOf } from "../../table/kinds/kinds.js";
import { type Column, columnOf, type Table } from "../../table/table.js";
import type { Change, Create } from "../operation.js";
import { conflictsOf } from "../refused/conflict.js";

/** The storage keys of the files in a record's values, including those in lists. */
export function fileKeysOf(table: Table<never>, values: Values): unknown[] {
  return Object.entries(values)
    .filter(([key, value]) => value !== null && isFile(columnOf(table, key)))
    .flatMap(([, value]) => value);
}

function isFile(column: Column | null): boolean {
  return column !== null && kindOf(column).isFile;
}

/**
 * Refuses with 422 and all conflicts if a value is the storage key of another field's file: no constraint checks which
 * field an upload belongs to. Other values need no lookup, because constraints check them.
 */
export async function refuseUnknownFiles(
  reader: Reader,
  write: Create | Change,
  values: Values,
): Promise<void> {
  if (fileKeysOf(write.table, values).length === 0) return;
  const issues = await conflictsOf(reader, write, values);
  if (issues.length > 0) refuse("INVALID", { issues });
}

/** Extends the statement to mark the files with these keys as used. */
export function usingFiles({ text, parameters }: Statement, keys: readonly unknown[]): Statement {
  if (keys.length === 0) return { text, parameters };
  const used = `
    with _used as (
      update service.uploads
      set unused_since = null
      where key = any($${parameters.length + 1}) and unused_since is not null
    )`;
  return { text: used + text, parameters: [...parameters, keys] };
}
