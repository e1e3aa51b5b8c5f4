import { uniqueViolation } from "../../../db/index.js";
import { Refusal, refuse } from "../../../errors/index.js";
import { wrongValues } from "../../own-code/blame.js";
import { noteWritten } from "../../own-code/reads.js";
import type { Place } from "../../record/read.js";
import { createOf } from "../make.js";
import type { Written } from "../operation.js";
import { draftOf, type PreparedWrite, prepareWrite } from "../prepare.js";
import { storeWrite } from "../store.js";

/**
 * Stores a prepared write. The creator of a group becomes its first member, regardless of the rules for memberships;
 * the hooks of memberships run.
 */
export async function storeAndFound(place: Place, prepared: PreparedWrite): Promise<Written> {
  const written = await storeWrite(place, prepared);
  const { write } = prepared;
  const { caller, services } = place.actor;
  const founder = write.table.owner?.team?.founder;
  if (write.kind !== "create" || founder === undefined || caller === null) return written;
  const { shape, fields, role } = founder;
  const membership = founder.table();
  const values = {
    [fields.group]: written.id,
    [fields.account]: caller.accountId,
    [fields.role]: role,
  };
  const trusted = { ...place.actor, services: { ...services, policies: {}, isTrusted: true } };
  const made = createOf(membership, shape, { caller: null, values });
  if (made.checked.malformed.length > 0) refuseFounder(wrongValues(made.checked));
  try {
    const draft = draftOf(made);
    const there = { ...place, actor: trusted };
    const { id } = await storeWrite(there, await prepareWrite(trusted, draft, there));
    noteWritten(trusted, { table: membership, id });
  } catch (error) {
    if (!isTaken(error)) throw error;
    refuseFounder(`another ${membership.singular} already has the values that yours would have`);
  }
  return written;
}

function refuseFounder(reason: string): never {
  refuse("REFUSED", { error: `You cannot be its first member: ${reason}` });
}

/** Whether the write failed because the account already has a membership, if accounts may belong to only one group. */
function isTaken(error: unknown): boolean {
  return error instanceof Refusal ? error.code === "INVALID" : uniqueViolation(error) !== null;
}
