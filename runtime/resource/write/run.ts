import type { Queryable } from "../../db/index.js";
import type { Answer, Context } from "../../http/index.js";
import type { Actor, Reads } from "../../own-code/index.js";
import type { KeyedAnswer, Repeated } from "../idempotency/kept-answers.js";
import type { KeyedRequest } from "../idempotency/key.js";
import { once, type Within } from "../idempotency/once.js";
import { noteWritten } from "../own-code/reads.js";
import { mostAgain, runAgain } from "../own-code/run-again.js";
import { inUnit } from "../own-code/unit.js";
import { accessOf, type Place, readerOf } from "../record/read.js";
import type { Table } from "../table/table.js";
import { additionWait, isAddition } from "./add.js";
import { storeAndFound } from "./group/found.js";
import { joinConcurrent } from "./join/concurrent.js";
import { isVisitor } from "./make.js";
import type { Write, Written } from "./operation.js";
import { type Draft, draftOf, needsTransaction, prepareWrite } from "./prepare.js";
import { explainRefusal } from "./refused/explain.js";
import { withoutHiddenFields } from "./refused/for-visitors.js";

/** A write requested over HTTP. */
export interface WriteRequest {
  /** Null without an idempotency key. */
  readonly keyed: KeyedRequest | null;
  make(): Write;
  /** Runs before the transaction, and may refuse the write; skipped if a stored response is repeated. */
  readonly guard?: ((write: Write) => Promise<void>) | undefined;
  answer(written: Written): KeyedAnswer;
  /** Milliseconds that a transaction waits for a connection, if longer than the default. */
  readonly waitMs?: number | undefined;
}

/**
 * Runs the write of a request; with an idempotency key only once. For every caller, refusals come in this order:
 *
 * 1. the token (401) and the access rule (401, 403), in `answerRequest`
 * 2. in the route: `If-Match` (400), the idempotency key (400), an unreadable body (400, 413, 415)
 * 3. with a key: a request with the same key (409, 422); if it has a stored response, that is sent and the rest is
 *   skipped
 * 4. an invalid id (404) when the write is created; then the app's guard (403)
 * 5. app code nested too deeply, or a record that another transaction changed after app code read it
 * 6. a missing record (404) or a changed one (412), then the body's values and fields (422)
 * 7. with app code: the locked record (404, 412), the policy (403), the *before* hook
 * 8. the statement: the record (404, 412), links to files (422), values that another record has (422, 409)
 * 9. a constraint, which has rolled back the statement: its reason is looked up afterwards
 *
 * *After* hooks are scheduled once the statement has run, and start after the commit.
 */
export async function answerWrite(
  context: Context,
  { resource }: Table<never>,
  { keyed, make, guard, answer, waitMs }: WriteRequest,
): Promise<Answer | Repeated> {
  const made = firstCall(async () => {
    const write = make();
    await guard?.(write);
    return write;
  });
  if (keyed === null) return answer(await runWrite(context, await made()));
  const write = async (within: Within) => {
    const draft = draftOf(await made());
    const answered = within(async (inner, connection) => {
      const place = { actor: inner, reader: readerOf(connection) };
      return answer(await storeWithin(context, draft, place));
    });
    return explained(context, draft, answered);
  };
  return once(context, { resource, request: keyed, waitMs }, write);
}

/** Wraps a function so that it runs only at the first call; all calls return that result. */
function firstCall<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= run();
    return result;
  };
}

/** Runs a write of app code, or one of several in a request. Refusals begin with step 5 of `answerWrite`. */
export function runWrite(actor: Actor, write: Write): Promise<Written> {
  const draft = draftOf(write);
  return explained(actor, draft, store(actor, draft));
}

/**
 * The result of a write. If a constraint refuses it, its connection has been released, and the reason is looked up on
 * another one.
 */
async function explained<T>(actor: Actor, draft: Draft, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const write = draft.latest;
    const refusal: unknown = await explainRefusal(actor, error, write).catch((reason) => reason);
    throw isVisitor(actor) ? withoutHiddenFields(refusal, write) : refusal;
  }
}

/**
 * Stores a write, with one statement that concurrent writes may share, or in a transaction if app code runs. Inside the
 * actor's transaction it uses a savepoint, so that the transaction can continue after a refusal.
 */
async function store(actor: Actor, draft: Draft): Promise<Written> {
  const { write } = draft;
  const access = accessOf(actor, write.table);
  if (actor.unit === undefined && !needsTransaction(actor, write)) {
    const place = { actor, reader: access };
    return joinConcurrent(place, await prepareWrite(actor, draft, place));
  }
  const options = { access, ...(isAddition(write) && additionWait) };
  return inUnit(actor, options, (inner, connection) =>
    storeWithin(actor, draft, { actor: inner, reader: readerOf(connection) }),
  );
}

/** Stores a write in a transaction. If a constraint refuses it, the transaction ends. */
async function storeWithin(actor: Actor, draft: Draft, place: Place): Promise<Written> {
  const prepared = await prepareWrite(actor, draft, place);
  const written = await storeAndFound(place, prepared);
  noteWritten(actor, { table: prepared.write.table, id: written.id });
  return written;
}

/**
 * Runs one of several writes in the actor's transaction, without a savepoint. If another transaction changes what its
 * app code has read, only this write is retried, unless the code has written something.
 */
export function writePart(actor: Actor, connection: Queryable, write: Write): Promise<Written> {
  const reader = readerOf(connection);
  const run = (inner: Actor) => storeWithin(actor, draftOf(write), { actor: inner, reader });
  if (!needsTransaction(actor, write)) return run(actor);
  const again = { most: mostAgain, mayRepeat: ({ hasWritten }: Reads) => !hasWritten };
  return runAgain(actor, again, (reads) => run({ ...actor, reads }));
}
