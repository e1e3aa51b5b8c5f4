import type { Transaction } from "../../db/index.js";
import { type Actor, inScope, type JobContext } from "../../own-code/index.js";
import { contextOf } from "./context.js";
import { endLife, type Life, newLife } from "./life.js";
import { inUnit } from "./unit.js";

/** One attempt of a job. */
export interface JobCall
  extends Pick<JobContext, "id" | "attempt" | "scheduledAt" | "traceparent"> {
  /** The job's name in messages: `the job "sendReceipt"`. */
  readonly what: string;
  readonly signal: AbortSignal;
  /** Called when the job has the connection that it needs, before its code runs. */
  readonly begin: () => void;
  /** The timeout in milliseconds. */
  readonly mostMs: number;
  /** Completes the job in the transaction that it shares with its code; null without such a transaction. */
  readonly end: ((tx: Transaction) => Promise<void>) | null;
}

/**
 * Milliseconds by which the transaction's timeout exceeds that of the job, so that the job ends it instead of
 * PostgreSQL.
 */
const noticeMs = 5_000;

/** Runs an app job. If the signal is aborted, rejects immediately and ends the context. */
export function callJob(
  actor: Actor,
  call: JobCall,
  run: (context: JobContext) => unknown,
): Promise<unknown> {
  return call.end === null
    ? runJob(actor, call, run)
    : runInTransaction(actor, { ...call, end: call.end }, run);
}

async function runJob(
  actor: Actor,
  call: JobCall,
  run: (context: JobContext) => unknown,
): Promise<unknown> {
  const { unit, caller, chain = [] } = actor;
  const holder = () => (unit === undefined || unit.isOver ? null : call.what);
  // The job may have been aborted while it waited for a connection.
  call.signal.throwIfAborted();
  call.begin();
  const life = newLife(call.signal);
  const context = jobContextOf(actor, call, life);
  try {
    const result = await untilAborted(call.signal, () =>
      inScope({ request: actor.services.request ?? null, caller, chain, holder }, async () =>
        run(context),
      ),
    );
    await endLife(life);
    return result;
  } finally {
    life.isOver = true;
  }
}

function runInTransaction(
  actor: Actor,
  call: JobCall & { readonly end: (tx: Transaction) => Promise<void> },
  run: (context: JobContext) => unknown,
): Promise<unknown> {
  // Jobs have a separate limit of connections, so that they do not delay the transactions of requests.
  const access = actor.services.db;
  const work = async (inner: Actor, connection: Transaction) => {
    const { unit } = inner;
    const cutOff = () => unit?.cut.abort();
    call.signal.addEventListener("abort", cutOff);
    try {
      const result = await runJob(inner, call, run);
      await call.end(connection);
      return result;
    } finally {
      call.signal.removeEventListener("abort", cutOff);
    }
  };
  // An attempt that loses to a concurrent transaction has failed.
  const options = { access, isOnce: true, again: 0, idleMs: call.mostMs + noticeMs };
  return inUnit(actor, options, work);
}

function jobContextOf(actor: Actor, call: JobCall, life: Life): JobContext<object> {
  const { id, attempt, scheduledAt, traceparent } = call;
  const { db, resources, jobs, mail, files, log, signal } = contextOf(actor, call, life);
  const about = { id, attempt, scheduledAt, caller: null };
  return { ...about, db, resources, jobs, mail, files, log, traceparent, signal };
}

/** Rejects with the signal's reason as soon as the signal is aborted, even if the work continues. */
function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener("abort", abort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
