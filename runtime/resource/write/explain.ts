import { foreignKeyViolation } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { inUse } from "./in-use.js";
import { storedIdOf, type Write } from "./operation.js";
import { refuseConflict } from "./refuse-conflict.js";

/** Turns the refusal of a constraint into the client's answer; any other error is rethrown. */
export async function explainRefusal(actor: Actor, error: unknown, write: Write): Promise<never> {
  const { table, id } = write;
  const reader = actor.services.db.ofResource(table.resource);
  if (write.kind === "delete") {
    if (foreignKeyViolation(error) === null) throw error;
    return refuse("IN_USE", { error: await inUse(reader, table, id) });
  }
  const { values } = write.checked;
  return refuseConflict(error, reader, write, { ...values }, storedIdOf(write));
}
