import type { Queryable, Transaction } from "../../db/index.js";
import type { Actor } from "../../own-code/index.js";
import { inUnit } from "../own-code/unit.js";
import { readerOf } from "../record/read.js";
import { joinConcurrent } from "./join/concurrent.js";
import { joinFollowing } from "./join/following.js";
import type { Create, Written } from "./operation.js";
import { needsTransaction } from "./prepare.js";
import type { Way } from "./run.js";
import { storeWrite } from "./store.js";

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
    return inUnit(actor, access, (inner, connection) =>
      steps.run(inner, readerOf(connection), storeWrite),
    );
  },
};

/** In the transaction that `begin` begins for it: it also stores what belongs to the write, and makes its result. */
export function inTransaction<Result>(
  begin: (work: (inner: Actor, connection: Transaction) => Promise<Written>) => Promise<Result>,
): Way<Result> {
  return {
    isExplained: true,
    run: (_, steps) =>
      begin((inner, connection) => steps.run(inner, readerOf(connection), storeWrite)),
  };
}

/** As a part of the actor's transaction, which ends when PostgreSQL refuses the write. */
export function asPart(connection: Queryable): Way<Written> {
  return {
    isExplained: false,
    run: (actor, steps) => steps.run(actor, readerOf(connection), storeWrite),
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
      steps.run(actor, readerOf(connection), (inner, reader, prepared) =>
        joinFollowing(inner, reader, prepared, following),
      ),
  };
}
