import type { Actor } from "../../../own-code/index.js";
import { isWrittenAlike } from "../../rights/rules.js";
import { wholeWriteView } from "../../rights/writable.js";
import { isValid } from "../../table/body.js";
import type { Values } from "../../table/conflicts.js";
import { fileKeysOf } from "../files/stored.js";
import { leftToColumns } from "../insert-text.js";
import type { Change, Create, Write } from "../operation.js";
import { needsTransaction } from "../prepare.js";

/**
 * Whether only constraints can refuse a write, for every caller: no rights, no app code, and no file, since no
 * constraint checks a file's field. Such writes may share a statement, unless the table has app triggers.
 */
export function isDecidedByConstraints(actor: Actor, write: Write): write is Create | Change {
  if (write.kind === "delete" || write.kind === "restore") return false;
  const { table, checked } = write;
  if (write.kind === "create" && !hasUsualColumns(write)) return false;
  return (
    write.view === wholeWriteView(table) &&
    isWrittenAlike(table) &&
    !needsTransaction(actor, write) &&
    isValid(checked) &&
    fileKeysOf(table, { ...checked.values }).length === 0
  );
}

/**
 * Whether a new record has an id and all fields. A shared statement has one list of columns, and returns records in any
 * order, so that only the ids identify them.
 */
function hasUsualColumns({ table, id, checked }: Create): boolean {
  return id !== null && leftToColumns(table, checked.values as Values).length === 0;
}

/**
 * Maximum number of characters of a write that may share a statement, since a long one delays the others. At this size
 * a write took three times as long as a short one, and nine times with a search index (0.2 ms, 0.5 and 1.6). Five
 * thousand characters took sixty times as long.
 */
const maxLength = 1_000;

/** Whether the write has values, and few enough characters. */
export function isWorthJoining(values: Values): boolean {
  let length = 0;
  for (const value of Object.values(values)) length += typeof value === "string" ? value.length : 0;
  return length <= maxLength && Object.keys(values).length > 0;
}
