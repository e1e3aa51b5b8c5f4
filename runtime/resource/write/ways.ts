import type { Queryable, Transaction } from "../../db/index.js";
import type { Actor, Reads } from "../../own-code/index.js";
import { mostAgain, runAgain } from "../own-code/run-again.js";
import { inUnit } from "../own-code/unit.js";
import { readerOf } from "../record/read.js";
import { additionWait, isAddition } from "./add.js";
import { storeAndFound } from "./group/found.js";
import { joinConcurrent } from "./join/concurrent.js";
import { joinFollowing } from "./join/following.js";
import type { Create, Written } from "./operation.js";
import { needsTransaction } from "./prepare.js";
import type { Steps, Way } from "./run.js";

/**
 * By itself: one statement, which it may share with writes that arrive at once; a transaction where own code runs. Within
 * the actor's transaction it is a savepoint, so that the transaction can continue when the write is refused.
 */
export const separately: Way<Written> = {
  isExplained: true,
  async run(actor, steps) {
    const write = steps.write();
    const access = actor.services.db.ofResource(write.table.resource);
    if (actor.unit === undefined && !needsTransaction(actor, write)) {
      return steps.run(actor, access, (_, __, prepared) => joinConcurrent(actor, access, prepared));
    }
    const work = (inner: Actor, connection: Transaction) =>
      steps.run(inner, readerOf(connection), storeAndFound);
    return inUnit(actor, access, work, isAddition(write) ? additionWait : {});
  },
};

/** In the transaction that `begin` begins for it: it also stores what belongs to the write, and makes its result. */
export function inTransaction<Result>(
  begin: (work: (inner: Actor, connection: Transaction) => Promise<Written>) => Promise<Result>,
): Way<Result> {
  return {
    isExplained: true,
    run: (_, steps) =>
      begin((inner, connection) => steps.run(inner, readerOf(connection), storeAndFound)),
  };
}

/** As a part of the actor's transaction, which ends when PostgreSQL refuses the write. */
export function asPart(connection: Queryable): Way<Written> {
  return {
    isExplained: false,
    run: (actor, steps) =>
      inPart(actor, steps, (inner) => steps.run(inner, readerOf(connection), storeAndFound)),
  };
}

/** The same for a new record, by one statement with those of the following ones that may share it. */
export function withFollowing(
  connection: Queryable,
  following: () => Iterable<Create>,
): Way<readonly Written[]> {
  return {
    isExplained: false,
    run: (actor, steps) =>
      inPart(actor, steps, (inner) =>
        steps.run(inner, readerOf(connection), (own, reader, prepared) =>
          joinFollowing(own, reader, prepared, following),
        ),
      ),
  };
}

/**
 * Runs one of several writes without a savepoint: where its own code is overtaken it is run again alone as long as it has
 * written nothing.
 */
function inPart<T>(actor: Actor, steps: Steps, work: (inner: Actor) => Promise<T>): Promise<T> {
  if (!needsTransaction(actor, steps.write())) return work(actor);
  const again = { most: mostAgain, mayRepeat: ({ hasWritten }: Reads) => !hasWritten };
  return runAgain(actor, again, (reads) => work({ ...actor, reads }));
}
