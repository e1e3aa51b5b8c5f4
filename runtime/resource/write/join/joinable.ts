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
 * Whether only the table's constraints decide about a write, for every caller: no rights, no app code, no file, whose
 * field no constraint knows. Such writes may share a statement, unless the table has app triggers.
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
 * Whether a new record has its id and all fields. A shared statement has one list of columns, and it returns records in
 * any order: only the ids that were sent identify them.
 */
function hasUsualColumns({ table, id, checked }: Create): boolean {
  return id !== null && leftToColumns(table, checked.values as Values).length === 0;
}

/**
 * Characters of a write that may share a statement, since a long one delays the others. At this size it took three
 * times as long as a short one, and nine times with a search index (0.2 ms, 0.5 and 1.6). Five thousand characters took
 * sixty times as long.
 */
const maxLength = 1_000;

/** Whether there are values, and few characters. */
export function isWorthJoining(values: Values): boolean {
  let length = 0;
  for (const value of Object.values(values)) length += typeof value === "string" ? value.length : 0;
  return length <= maxLength && Object.keys(values).length > 0;
}
