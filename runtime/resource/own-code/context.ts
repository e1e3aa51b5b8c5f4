import { type Access, type Database, databaseWithin, lostToConcurrent } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import {
  type Actor,
  type AppDatabase,
  type AppFiles,
  type AppMail,
  type HookContext,
  inScope,
} from "../../own-code/index.js";
import { inUnit, retryAfter } from "./unit.js";

/** One call of a function of the app. */
export interface OwnCall {
  /** Its name in messages: `products.beforeCreate`. */
  readonly what: string;
  /** The id of the record. */
  readonly id: string;
}

/** How long a context may be used. */
export interface Life {
  readonly signal: AbortSignal;
  isOver: boolean;
  /** Statements and writes that were begun with it. */
  readonly running: Set<Promise<unknown>>;
}

export function newLife(signal: AbortSignal): Life {
  return { signal, isOver: false, running: new Set() };
}

/** Ends it, after everything that was begun and not awaited has finished. */
export async function endLife(life: Life): Promise<void> {
  life.isOver = true;
  await Promise.allSettled(life.running);
}

/** The last argument of a hook or policy; all its members throw once the call has ended. */
export function contextOf(actor: Actor, { what, id }: OwnCall, life: Life): HookContext<object> {
  const { services, caller } = actor;
  const { log, ownCode } = services;
  const check = () => {
    if (life.signal.aborted) throw new Error(`${what} was cut off`);
    if (life.isOver) throw new Error(`The context of ${what} is over`);
  };
  const inner: Actor = {
    ...actor,
    outer: actor.outer ?? services,
    services: { ...services, db: checkedDatabase(services.db, life, check) },
  };
  const resources = ownCode.resourcesOf(() => {
    check();
    return inner;
  });
  return {
    id,
    caller,
    db: databaseOf(inner, what),
    resources,
    mail: mailOf(inner),
    files: filesOf(inner, check),
    log,
    signal: life.signal,
  };
}

/** The database that own code may use on behalf of the actor. */
export function databaseOf(actor: Actor, what: string): AppDatabase {
  const { db } = actor.services;
  return {
    query: (text, values) => handled(db.query(text, values)),
    transaction: (work) =>
      handled(
        actor.unit === undefined
          ? ownTransaction(actor, what, (given) => work(given.db))
          : db.transaction((connection) => work(nestedDatabase(databaseWithin(connection)))),
      ),
  };
}

/** Mails on behalf of the actor, in its transaction where there is one. */
export function mailOf({ services: { db, mailer } }: Actor): AppMail {
  return {
    send: (mail) => handled(db.transaction((connection) => mailer.sendOwn(connection, mail))),
  };
}

function filesOf({ services, caller }: Actor, check: () => void): AppFiles {
  const files = services.ownCode.filesOf(caller);
  return {
    store: async (content, target) => {
      check();
      return files.store(content, target);
    },
    read: async (key) => {
      check();
      return files.read(key);
    },
  };
}

function nestedDatabase({ query, transaction }: Database): AppDatabase {
  return {
    query: (text, values) => handled(query(text, values)),
    transaction: (work) =>
      handled(transaction((connection) => work(nestedDatabase(databaseWithin(connection))))),
  };
}

/** The argument of the work of `app.transaction`. */
export type OwnTransaction<Resources = unknown> = Pick<HookContext<Resources>, "db" | "resources">;

/** The name under which the app's own transactions share connections; no resource has this name. */
const ownTransactions = "(own code)";

/** Runs the app's own work in one transaction. It is not retried: a deadlock is a 503. */
export async function ownTransaction<T>(
  actor: Actor,
  what: string,
  work: (given: OwnTransaction<object>) => Promise<T>,
): Promise<T> {
  const access = actor.services.db.ofResource(ownTransactions);
  const run = async (inner: Actor): Promise<T> => {
    const { unit, caller, chain = [] } = inner;
    if (unit === undefined) throw new Error("A transaction of own code has no unit");
    const life = newLife(unit.cut.signal);
    const { db, resources } = contextOf(inner, { what, id: "" }, life);
    const holder = () => (unit.isOver ? null : what);
    try {
      return await inScope({ caller, chain, holder }, () => work({ db, resources }));
    } finally {
      await endLife(life);
    }
  };
  try {
    return await inUnit(actor, access, run, { isOnce: true });
  } catch (error) {
    if (lostToConcurrent(error)) return refuse("UNAVAILABLE", { retryAfter });
    throw error;
  }
}

/** The database, as long as `check` does not throw. */
function checkedDatabase(db: Database, life: Life, check: () => void): Database {
  const begin = async <T>(work: () => Promise<T>): Promise<T> => {
    check();
    const running = work();
    life.running.add(running);
    try {
      return await running;
    } finally {
      life.running.delete(running);
    }
  };
  const checked = (access: Access): Access => ({
    query: (text, values) => begin(() => access.query(text, values)),
    lookUp: (text, values) => begin(() => access.lookUp(text, values)),
    browse: (text, values) => begin(() => access.browse(text, values)),
    search: (text, values) => begin(() => access.search(text, values)),
    find: (text, values) => begin(() => access.find(text, values)),
    aggregate: (text, values) => begin(() => access.aggregate(text, values)),
    attempt: (text, values) => begin(() => access.attempt(text, values)),
    transaction: (work, options) => begin(() => access.transaction(work, options)),
  });
  return {
    ...checked(db),
    ofResource: (name) => checked(db.ofResource(name)),
    close: () => Promise.resolve(),
  };
}

/** Keeps a rejected promise that own code does not await from ending the process. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
