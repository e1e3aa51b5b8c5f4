import type { Queryable } from "../../db/index.js";
import type { Actor, Reads } from "../../own-code/index.js";
import { noteWritten } from "../own-code/reads.js";
import { mostAgain, runAgain } from "../own-code/run-again.js";
import { inUnit } from "../own-code/unit.js";
import { accessOf, readerOf } from "../record/read.js";
import { additionWait, isAddition } from "./add.js";
import { storeAndFound } from "./group/found.js";
import { joinConcurrent } from "./join/concurrent.js";
import type { Write, Written } from "./operation.js";
import { type Draft, draftOf, needsTransaction, type Place, prepareWrite } from "./prepare.js";
import { explainRefusal } from "./refused/explain.js";

/**
 * Runs a write. Whoever writes, what can refuse it comes in this order:
 *
 * 1. an id that cannot be one (404), as the write is made
 * 2. own code that writes within own code, too deep, or what another transaction has changed since it was read there
 * 3. the body: values and fields (422); before them a record that is not there (404) or another one (412)
 * 4. where own code runs: the locked record (404, 412), the policy (403), the *before* hook
 * 5. the statement: the record (404, 412), links to files (422), a value that another record has (422, 409)
 * 6. a constraint, which has undone the statement: its reason is looked up afterwards
 *
 * *After* hooks are scheduled as soon as the statement has run, and begin when its transaction is committed.
 */
export function runWrite(actor: Actor, write: Write): Promise<Written> {
  const make = () => write;
  return explained(actor, make, (draft) => store(actor, draft));
}

/** Does the work of a write. Where a constraint refuses it, the work has returned its connection: another one finds why. */
export async function explained<Result>(
  actor: Actor,
  make: () => Write,
  work: (draft: Draft) => Promise<Result>,
): Promise<Result> {
  const draft = draftOf(make);
  try {
    return await work(draft);
  } catch (error) {
    const { latest } = draft;
    if (latest === null) throw error;
    return explainRefusal(actor, error, latest);
  }
}

/**
 * Stores a write by itself: by one statement, which it may share with writes that arrive at once; in a transaction where own
 * code runs. Within the actor's transaction it is a savepoint, so that the transaction can continue when it is refused.
 */
export async function store(actor: Actor, draft: Draft): Promise<Written> {
  const write = draft.make();
  const access = accessOf(actor, write.table);
  if (actor.unit !== undefined || needsTransaction(actor, write)) {
    return inUnit(
      actor,
      access,
      (inner, connection) => storeWithin(actor, draft, { inner, reader: readerOf(connection) }),
      isAddition(write) ? additionWait : {},
    );
  }
  const prepared = await prepareWrite(actor, draft, { inner: actor, reader: access });
  return joinConcurrent(actor, access, prepared);
}

/** Stores a write in a transaction. A constraint that refuses it ends that. */
export async function storeWithin(actor: Actor, draft: Draft, place: Place): Promise<Written> {
  const prepared = await prepareWrite(actor, draft, place);
  const written = await storeAndFound(place, prepared);
  noteWritten(actor, prepared.write);
  return written;
}

/**
 * Runs one of several writes of the actor's transaction, without a savepoint: where its own code is overtaken it is run again
 * alone as long as it has written nothing.
 */
export function writePart(actor: Actor, connection: Queryable, write: Write): Promise<Written> {
  const reader = readerOf(connection);
  const make = () => write;
  const run = (inner: Actor) => storeWithin(actor, draftOf(make), { inner, reader });
  if (!needsTransaction(actor, write)) return run(actor);
  const again = { most: mostAgain, mayRepeat: ({ hasWritten }: Reads) => !hasWritten };
  return runAgain(actor, again, (reads) => run({ ...actor, reads }));
}
