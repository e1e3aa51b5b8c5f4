import type { Actor } from "../../../own-code/index.js";
import { isWrittenAlike } from "../../rights/rules.js";
import { isValid } from "../../table/body.js";
import { fileKeysOf } from "../files/stored.js";
import type { Write } from "../operation.js";
import { needsTransaction } from "../prepare.js";

/**
 * Whether only the table's constraints decide about a write, whoever sends it: no rights of its caller, no own code, no
 * file, whose field no constraint knows. Such writes may share a statement, unless the table has triggers of the app's own.
 */
export function isDecidedByConstraints(actor: Actor, write: Write): boolean {
  if (write.kind === "delete") return false;
  const { table, checked } = write;
  return (
    isWrittenAlike(table) &&
    !needsTransaction(actor, write) &&
    isValid(checked) &&
    fileKeysOf(table, { ...checked.values }).length === 0
  );
}
