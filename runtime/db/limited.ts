import pLimit, { type LimitFunction } from "p-limit";
import type { Access, Database } from "./statement/database.js";

/** A database for work that must leave connections to others: it uses up to `most` at a time. */
export function limitedDatabase(db: Database, most: number): Database {
  return limitedBy(pLimit(most), db);
}

function limitedBy(limit: LimitFunction, db: Database): Database {
  const limited = (access: Access): Access => ({
    query: (text, values) => limit(() => access.query(text, values)),
    read: (plan) => limit(() => access.read(plan)),
    attempt: (text, values, onTurn) => limit(() => access.attempt(text, values, onTurn)),
    transaction: (work, options) => limit(() => access.transaction(work, options)),
  });
  return {
    ...limited(db),
    ofResource: (name) => limited(db.ofResource(name)),
    of: (request) => limitedBy(limit, db.of(request)),
    close: () => Promise.resolve(),
  };
}
