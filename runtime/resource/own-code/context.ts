import { type Database, databaseWithin, lostToConcurrent } from "../../db/index.js";
import { refuse, underFormerName } from "../../errors/index.js";
import { insertJob } from "../../jobs/index.js";
import {
  type Actor,
  type AppDatabase,
  type AppFiles,
  type AppJobs,
  type AppMail,
  type HookContext,
  inScope,
  type JobInputs,
  scopeFor,
  type TransactionOptions,
} from "../../own-code/index.js";
import { writerOf } from "../../request/index.js";
import { checkedDatabase, endLife, type Life, newLife } from "./life.js";
import { inUnit, retryAfter } from "./unit.js";

/** One call of a function of the app. */
export interface AppCall {
  /** The function's name in messages, such as `products.beforeCreate`. */
  readonly what: string;
  readonly id: string | null;
  /** The record whose deletion cascades to this one; omitted if there is none. */
  readonly cascadedFrom?: HookContext["cascadedFrom"];
  /** Whether a deleted record is kept in the trash. */
  readonly isTrashed?: boolean;
}

/** Creates the last argument of a hook or policy; all its members throw once the call has ended. */
export function contextOf(
  actor: Actor,
  { what, id, cascadedFrom = null, isTrashed = false }: AppCall,
  life: Life,
): HookContext<object, JobInputs, string | null> {
  const { services, caller } = actor;
  const { log, appCode } = services;
  const check = () => {
    if (life.signal.aborted) throw new Error(`${what} was cut off`);
    if (life.isOver) throw new Error(`The context of ${what} has ended`);
    // Within `db.transaction` of this context, the other members of the context would take a second connection.
    if (actor.unit === undefined) scopeFor(`the context of ${what}`);
  };
  const inner: Actor = {
    ...actor,
    outer: actor.outer ?? services,
    services: { ...services, db: checkedDatabase(services.db, life, check) },
  };
  const resources = appCode.resourcesOf(() => {
    check();
    return inner;
  });
  return {
    id,
    cascadedFrom,
    get because() {
      return underFormerName(cascadedFrom, "context.because", "context.cascadedFrom");
    },
    trash: isTrashed,
    caller,
    db: databaseOf(inner, actor.unit === undefined ? `db.transaction of ${what}` : what),
    resources,
    jobs: jobsOf(inner),
    mail: mailOf(inner),
    files: filesOf(inner, check),
    log,
    traceparent: services.request?.traceparent ?? null,
    signal: life.signal,
  };
}

/** Creates the database that app code may use on behalf of the actor. */
export function databaseOf(actor: Actor, what: string): AppDatabase {
  const { db } = actor.services;
  return {
    query: <Row>(text: string, values?: readonly unknown[]) => {
      noteSql(actor);
      const run = () =>
        needsWriter(actor, text)
          ? db.ofResource(appTransactions).transaction((tx) => tx.query<Row>(text, values))
          : db.query<Row>(text, values);
      return handled(asOneStatement(text, run));
    },
    transaction: (work) => {
      noteSql(actor);
      return handled(
        actor.unit === undefined
          ? appTransaction(actor, { what }, (given) => work(given.db))
          : db.transaction((connection) => work(nestedDatabase(databaseWithin(connection)))),
      );
    },
  };
}

/** Statements that may run in a transaction, and the subset that may write, including through functions. */
const plain = /^(?:\s|--.*\n|\/\*[\s\S]*?\*\/)*(?:insert|update|delete|merge|with|select)\b/i;
const writing =
  /\b(?:insert|update|delete|merge)\b|\bfrom\s+[\w."]+\s*\(|^(?![\s\S]*\bfrom\b)[\s\S]*\(/i;

/**
 * Whether a statement runs in a separate transaction, which records the author for the change log.
 */
function needsWriter({ unit, services }: Actor, text: string): boolean {
  return (
    unit === undefined &&
    services.logPosition !== undefined &&
    plain.test(text) &&
    writing.test(text) &&
    writerOf(services.request ?? null) !== null
  );
}

/** Records that a statement of app code may have written: earlier work can then be repeated only after a rollback. */
function noteSql({ reads }: Actor): void {
  if (reads !== undefined) reads.hasWritten = true;
}

/** Creates the mail interface of the actor, in its transaction if there is one. */
export function mailOf(actor: Actor): AppMail {
  const { db, mailer } = actor.services;
  return {
    send: (mail) => {
      noteSql(actor);
      return handled(db.transaction((connection) => mailer.sendAppMessage(connection, mail)));
    },
  };
}

/** Creates the jobs interface of the actor, in its transaction if there is one. */
export function jobsOf(actor: Actor): AppJobs {
  const { db, appCode, request } = actor.services;
  const add: AppJobs["add"] = async (name, input, options) => {
    const checked = await appCode.jobs.check(name, input, options);
    const job = { ...checked, traceparent: request?.traceparent ?? null };
    if (actor.unit === undefined) {
      const id = await insertJob(db, job);
      appCode.jobs.wake();
      return id;
    }
    noteSql(actor);
    return db.transaction((connection) => {
      connection.afterCommit(appCode.jobs.wake);
      return insertJob(connection, job);
    });
  };
  return { add: (name, input, options) => handled(add(name, input, options)) };
}

function filesOf({ services, caller }: Actor, check: () => void): AppFiles {
  const files = services.appCode.filesOf(services.request ?? null, caller);
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
    query: <Row>(text: string, values?: readonly unknown[]) =>
      handled(asOneStatement(text, () => query<Row>(text, values))),
    transaction: (work) =>
      handled(transaction((connection) => work(nestedDatabase(databaseWithin(connection))))),
  };
}

/**
 * Runs a text that must be a single statement. Without values, PostgreSQL would run several, possibly return the rows
 * of none, and refuse repeated runs.
 */
async function asOneStatement<Rows>(text: string, run: () => Promise<Rows>): Promise<Rows> {
  if (/;\s*[^\s;]/.test(text)) {
    const { findStatements } = await import("../../migrate/index.js");
    const { length } = findStatements(text);
    if (length > 1) {
      throw new TypeError(
        `query runs one statement, and this text has ${length}: call it for each of them, in a transaction if they belong together`,
      );
    }
  }
  return run();
}

/** The argument of the work of `app.transaction`. */
export type AppTransaction<Resources = unknown, Inputs = JobInputs> = Pick<
  HookContext<Resources, Inputs>,
  "db" | "resources" | "jobs"
>;

/** The name under which app transactions share connections; no resource has this name. */
export const appTransactions = "(own code)";

/** The maximum number of retries of app work. */
const maxAgain = 10;

/**
 * Runs app work in one transaction. If it loses to a concurrent transaction, it is retried up to the requested number
 * of times; after that, it throws a 503.
 */
export async function appTransaction<T>(
  actor: Actor,
  { what, again = 0 }: TransactionOptions & Pick<AppCall, "what">,
  work: (given: AppTransaction<object>) => Promise<T>,
): Promise<T> {
  if (!Number.isInteger(again) || again < 0 || again > maxAgain) {
    throw new RangeError(`"again" of ${what} must be a whole number from 0 to ${maxAgain}`);
  }
  const access = actor.services.db.ofResource(appTransactions);
  let isDone = false;
  const run = async (inner: Actor): Promise<T> => {
    isDone = false;
    const { unit, caller, chain = [] } = inner;
    if (unit === undefined) throw new Error("A transaction of app code has no unit");
    const life = newLife(unit.cut.signal);
    const { db, resources, jobs } = contextOf(inner, { what, id: "" }, life);
    const holder = () => (unit.isOver ? null : what);
    const { request = null } = inner.services;
    try {
      const scope = { request, caller, chain, holder };
      const result = await inScope(scope, () => work({ db, resources, jobs }));
      isDone = true;
      return result;
    } finally {
      await endLife(life);
    }
  };
  try {
    return await inUnit(actor, { access, isOnce: true, again }, run);
  } catch (error) {
    if (lostToConcurrent(error)) return refuse("UNAVAILABLE", { retryAfter });
    // Errors of the work come from the app; a refusal by the commit needs an explanation.
    if (isDone) {
      const { appCode, db, log } = actor.services;
      return appCode.explain(error, db, log);
    }
    throw error;
  }
}

/** Keeps a rejected promise that app code does not await from ending the process. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
