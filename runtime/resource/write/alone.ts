import { foreignKeyViolation } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { checkLevel } from "../own-code/level.js";
import { inUnit } from "../own-code/unit.js";
import { type Reader, readerOf } from "../record/read.js";
import { readerOfCaller } from "../rights/account.js";
import { inUse } from "./in-use.js";
import { storeJoined } from "./joined.js";
import type { Write, Written } from "./operation.js";
import { refuseConflict } from "./refuse-conflict.js";
import { needsTransaction, prepareWrite, storeWrite } from "./run.js";

/**
 * Runs a write by itself: one statement, or a transaction where own code runs. Within the actor's transaction
 * it is a savepoint, so that the transaction can continue when the write is refused.
 */
export async function runAlone(actor: Actor, write: Write): Promise<Written> {
  checkLevel(actor, write);
  const access = actor.services.db.ofResource(write.table.resource);
  let attempted = write;
  try {
    if (actor.unit === undefined && !needsTransaction(actor, write)) {
      return await storeJoined(actor, access, await prepareWrite(actor, access, write));
    }
    return await inUnit(actor, access, async (inner, connection) => {
      const reader = readerOf(connection);
      const prepared = await prepareWrite(inner, reader, write);
      attempted = prepared.write;
      return storeWrite(inner, reader, prepared);
    });
  } catch (error) {
    // The failed write has returned its connection; the reasons are looked up on another one.
    return explainRefusal(actor, error, access, attempted);
  }
}

/** Turns the refusal of a constraint into the client's answer; any other error is rethrown. */
export async function explainRefusal(
  actor: Actor,
  error: unknown,
  unbound: Reader,
  write: Write,
): Promise<never> {
  const reader = readerOfCaller(actor, unbound);
  const { table, id, kind } = write;
  if (kind === "delete") {
    if (foreignKeyViolation(error) === null) throw error;
    return refuse("IN_USE", { error: await inUse(reader, table, id) });
  }
  const { values } = write.checked;
  return refuseConflict(error, reader, table, { ...values }, kind === "create" ? null : id);
}
