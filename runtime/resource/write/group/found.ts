import { v7 as uuid } from "uuid";
import { uniqueViolation } from "../../../db/index.js";
import { Refusal, refuse } from "../../../errors/index.js";
import type { Actor } from "../../../own-code/index.js";
import { wrongValues } from "../../own-code/blame.js";
import type { Reader } from "../../record/read.js";
import { createOf } from "../make.js";
import type { Written } from "../operation.js";
import type { PreparedWrite } from "../prepare.js";
import { runWrite, type Way } from "../run.js";
import { storeWrite } from "../store.js";

/**
 * Stores a prepared write. Whoever has created a group becomes its first member, whatever the rules of memberships say;
 * their hooks run.
 */
export async function storeAndFound(
  actor: Actor,
  reader: Reader,
  prepared: PreparedWrite,
): Promise<Written> {
  const written = await storeWrite(actor, reader, prepared);
  const { write } = prepared;
  const { caller, services } = actor;
  const founder = write.table.owner?.team?.founder;
  if (write.kind !== "create" || founder === undefined || caller === null) return written;
  const { shape, fields, role } = founder;
  const membership = founder.table();
  const values = {
    [fields.group]: written.id,
    [fields.account]: caller.accountId,
    [fields.role]: role,
  };
  const trusted = { ...actor, services: { ...services, policies: {}, isTrusted: true } };
  const made = createOf(membership, shape, { caller: null, id: uuid(), values });
  if (made.checked.malformed.length > 0) refuseFounder(wrongValues(made.checked));
  try {
    await runWrite(trusted, () => made, withGroup(reader));
  } catch (error) {
    if (!isTaken(error)) throw error;
    refuseFounder(`another ${membership.singular} has what yours would`);
  }
  return written;
}

function refuseFounder(reason: string): never {
  refuse("REFUSED", { error: `You cannot be its first member: ${reason}` });
}

/** In the transaction that stores the group. */
function withGroup(reader: Reader): Way<Written> {
  return {
    isExplained: false,
    run: (actor, steps) => steps.run(actor, reader, storeWrite),
  };
}

/** Another membership may have the account already, where one belongs to a single group. */
function isTaken(error: unknown): boolean {
  return error instanceof Refusal ? error.code === "INVALID" : uniqueViolation(error) !== null;
}
