import type { Actor } from "../../own-code/index.js";
import { currentRequest, inRequest, startRequest } from "../../request/index.js";
import { checkLevel } from "../own-code/level.js";
import { checkRead, noteWritten } from "../own-code/reads.js";
import type { Reader } from "../record/read.js";
import type { Write } from "./operation.js";
import { type PreparedWrite, prepareWrite } from "./prepare.js";
import { explainRefusal } from "./refused/explain.js";

/**
 * A way of running a write: it takes a connection, and runs the write's steps there. They are in `ways.ts`; those that
 * store several writes by one statement use `join/`.
 */
export interface Way<Result> {
  run(actor: Actor, steps: Steps): Promise<Result>;
  /** Where a refusal of PostgreSQL has ended a transaction of somebody else, nobody can be asked for its reason. */
  readonly isExplained: boolean;
}

/** What each way runs of a write. */
export interface Steps {
  /** The write, made once: what cannot be one is refused. */
  write(): Write;
  /** Prepares the write and stores it. `reader` is the database, or the transaction that `needsTransaction` asks for. */
  run<Result>(inner: Actor, reader: Reader, store: Store<Result>): Promise<Result>;
}

export type Store<Result> = (
  actor: Actor,
  reader: Reader,
  prepared: PreparedWrite,
) => Promise<Result>;

/**
 * Runs a write. Every write passes here: a request's, with an idempotency key or without one, a batch's, an upsert's and
 * that of own code. Whatever the way, what can refuse it comes in this order:
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
export async function runWrite<Result>(
  actor: Actor,
  make: () => Write,
  way: Way<Result>,
): Promise<Result> {
  const request = currentRequest();
  /** The write as it was made, and as own code has changed it. */
  const known: { made: Write | null; latest: Write | null } = { made: null, latest: null };
  const write = () => {
    known.made ??= startRequest(request, make);
    return known.made;
  };
  const steps: Steps = {
    write,
    async run(inner, reader, store) {
      const made = write();
      known.latest = made;
      checkLevel(actor, made);
      await checkRead(actor, reader, made);
      const prepared = await prepareWrite(inner, reader, made);
      known.latest = prepared.write;
      const result = await startRequest(request, () => store(inner, reader, prepared));
      noteWritten(actor, made);
      return result;
    },
  };
  try {
    return await way.run(actor, steps);
  } catch (error) {
    const { latest } = known;
    if (latest === null || !way.isExplained) throw error;
    // The failed write has returned its connection; the reasons are looked up on another one.
    return inRequest(request, () => explainRefusal(actor, error, latest));
  }
}
