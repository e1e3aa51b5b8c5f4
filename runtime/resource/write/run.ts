import type { Queryable } from "../../db/index.js";
import type { Actor, Reads } from "../../own-code/index.js";
import { noteWritten } from "../own-code/reads.js";
import { mostAgain, runAgain } from "../own-code/run-again.js";
import { inUnit } from "../own-code/unit.js";
import { accessOf, type Place, readerOf } from "../record/read.js";
import { additionWait, isAddition } from "./add.js";
import { storeAndFound } from "./group/found.js";
import { joinConcurrent } from "./join/concurrent.js";
import { isVisitor } from "./make.js";
import type { Write, Written } from "./operation.js";
import { type Draft, draftOf, needsTransaction, prepareWrite } from "./prepare.js";
import { explainRefusal } from "./refused/explain.js";
import { withoutHiddenFields } from "./refused/for-visitors.js";

/**
 * Runs a write. For every caller, refusals come in this order:
 *
 * 1. an invalid id (404), when the write is created
 * 2. app code nested too deeply, or a record that another transaction has changed since the code read it
 * 3. the body: values and fields (422); before them a missing record (404) or a changed one (412)
 * 4. with app code: the locked record (404, 412), the policy (403), the *before* hook
 * 5. the statement: the record (404, 412), links to files (422), a value that another record has (422, 409)
 * 6. a constraint, which has undone the statement: its reason is looked up afterwards
 *
 * *After* hooks are scheduled once the statement has run, and begin after the commit.
 */
export function runWrite(actor: Actor, write: Write): Promise<Written> {
  const make = () => write;
  return explained(actor, make, (draft) => store(actor, draft));
}

/**
 * Runs the work of a write. If a constraint refuses it, the work has returned its connection, and the reason is found
 * on another connection.
 */
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
    if (latest === null) throw shownTo(actor, error, make);
    return explainRefusal(actor, error, latest).catch((refusal: unknown) => {
      throw shownTo(actor, refusal, () => latest);
    });
  }
}

/** The error as the caller may see it. */
function shownTo(actor: Actor, error: unknown, make: () => Write): unknown {
  return isVisitor(actor) ? withoutHiddenFields(error, make()) : error;
}

/**
 * Stores a write: by one statement, which concurrent writes may share, or in a transaction if app code runs. Within the
 * actor's transaction it uses a savepoint, so that the transaction can continue after a refusal.
 */
export async function store(actor: Actor, draft: Draft): Promise<Written> {
  const write = draft.make();
  const access = accessOf(actor, write.table);
  if (actor.unit !== undefined || needsTransaction(actor, write)) {
    const options = { access, ...(isAddition(write) && additionWait) };
    return inUnit(actor, options, (inner, connection) =>
      storeWithin(actor, draft, { actor: inner, reader: readerOf(connection) }),
    );
  }
  const place = { actor, reader: access };
  return joinConcurrent(place, await prepareWrite(actor, draft, place));
}

/** Stores a write in a transaction, which a refusing constraint ends. */
export async function storeWithin(actor: Actor, draft: Draft, place: Place): Promise<Written> {
  const prepared = await prepareWrite(actor, draft, place);
  const written = await storeAndFound(place, prepared);
  noteWritten(actor, { table: prepared.write.table, id: written.id });
  return written;
}

/**
 * Runs one of several writes of the actor's transaction, without a savepoint. If its app code is overtaken by another
 * transaction, it alone is retried, unless it has written something.
 */
export function writePart(actor: Actor, connection: Queryable, write: Write): Promise<Written> {
  const reader = readerOf(connection);
  const make = () => write;
  const run = (inner: Actor) => storeWithin(actor, draftOf(make), { actor: inner, reader });
  if (!needsTransaction(actor, write)) return run(actor);
  const again = { most: mostAgain, mayRepeat: ({ hasWritten }: Reads) => !hasWritten };
  return runAgain(actor, again, (reads) => run({ ...actor, reads }));
}
