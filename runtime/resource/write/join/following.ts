import { isUnavailable, sqlState } from "../../../db/index.js";
import type { Actor } from "../../../own-code/index.js";
import type { Reader } from "../../record/read.js";
import { storeAndFound } from "../group/found.js";
import type { Create, Written } from "../operation.js";
import type { PreparedWrite } from "../prepare.js";
import { insertSeveral, storedRecords } from "./insert.js";
import { isDecidedByConstraints } from "./joinable.js";
import { type JointRow, sentBy } from "./joint.js";
import { forgetTriggers, hasOwnTriggers } from "./own-triggers.js";

/** The statement was refused: stored one by one, some of its records may not be, and for a reason that can be reported. */
export class SeveralRefused extends Error {
  constructor(cause: unknown) {
    super("Several records were refused at once", { cause });
  }
}

/**
 * Stores a prepared write; a new record by one statement with those of the following ones that it can be shared with.
 *
 * @throws {SeveralRefused} when PostgreSQL refuses the statement for several.
 */
export async function joinFollowing(
  actor: Actor,
  reader: Reader,
  prepared: PreparedWrite,
  following: () => Iterable<Create>,
): Promise<readonly Written[]> {
  const { write } = prepared;
  const single = async () => [await storeAndFound(actor, reader, prepared)];
  if (!isDecidedByConstraints(actor, write) || write.kind !== "create") return single();
  // Their triggers are looked up only where there are any.
  const [second] = following();
  if (second === undefined || !isDecidedByConstraints(actor, second)) return single();
  const created = { table: write.table, event: "insert" } as const;
  // Outside of the transaction, so that what is known outlives it.
  const { db } = actor.unit?.outer ?? actor.services;
  if (await hasOwnTriggers(db, reader, created)) return single();
  const sent = [sentBy(write)];
  for (const next of following()) {
    if (!isDecidedByConstraints(actor, next)) break;
    sent.push(sentBy(next));
  }
  const { text, parameters } = insertSeveral(write.table);
  try {
    return storedRecords(sent, await reader.query<JointRow>(text, parameters(sent)));
  } catch (error) {
    // Others lost a connection, or to somebody else.
    if (sqlState(error) === null || isUnavailable(error)) throw error;
    forgetTriggers(db, created);
    throw new SeveralRefused(error);
  }
}
