import { type RequestState, startRequest } from "../request/index.js";
import type { Access, Database } from "./statement/database.js";

/** Adds what runs statements of a request. */
export function byRequest(database: Omit<Database, "of">): Database {
  const whole: Database = {
    ...database,
    of: (request) => (request === null ? whole : databaseOf(whole, request)),
  };
  return whole;
}

function databaseOf(whole: Database, request: RequestState): Database {
  return {
    ...accessOf(whole, request),
    ofResource: (name) => accessOf(whole.ofResource(name), request),
    of: whole.of,
    close: whole.close,
  };
}

function accessOf(access: Access, request: RequestState): Access {
  const during = <T>(work: () => T) => startRequest(request, work);
  return {
    query: (text, values) => during(() => access.query(text, values)),
    read: (plan) => during(() => access.read(plan)),
    attempt: (text, values, onTurn) => during(() => access.attempt(text, values, onTurn)),
    transaction: (work, options) => during(() => access.transaction(work, options)),
  };
}
