import { setTimeout as sleep } from "node:timers/promises";
import type { Access, Transaction } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import type { Actor } from "../../own-code/index.js";
import { inUnit } from "../own-code/unit.js";
import { boundAnswers } from "./bound.js";
import {
  claimKey,
  confirmAnswer,
  findAnswer,
  type KeptAnswer,
  type KeyedAnswer,
  keepAnswer,
  type Repeated,
} from "./kept-answers.js";
import type { KeyedRequest } from "./key.js";

/** The work that produces the response, in the actor's transaction. */
type Work = (inner: Actor, connection: Transaction) => Promise<KeyedAnswer>;

/** Runs the work in a transaction. */
export type Within = (work: Work) => Promise<KeyedAnswer>;

/** A request with a key. */
export interface Keyed {
  /** The resource whose share of the connections the transaction uses; for a batch, its path. */
  readonly resource: string;
  readonly request: KeyedRequest;
  /** Milliseconds that the transaction waits for a connection, if longer than usual. */
  readonly waitMs?: number | undefined;
}

/** Milliseconds that a request waits for an earlier one with its key. */
const patience = 5_000;

/** Milliseconds between checks whether another server has stored a response. */
const pause = 100;

/** Seconds for `Retry-After`. */
const retryAfter = 2;

/** The keys in use in this process, so that requests with the same key wait without querying the database. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Runs the write, or returns the stored response of an earlier request with the same key. The response is stored in the
 * transaction of the write (`within`): both are stored, or neither. Refusals are not stored. While another request with
 * the key is in progress, this one waits without a connection; 409 after five seconds.
 */
export async function once(
  context: Context,
  { resource, request, waitMs }: Keyed,
  write: (within: Within) => Promise<KeyedAnswer>,
): Promise<Answer | Repeated> {
  const access = context.services.db.ofResource(resource);
  const within = keepingAnswer(context, request, { access, waitMs });
  const id = `${request.accountId} ${request.key}`;
  const deadline = performance.now() + patience;
  for (;;) {
    const other = underWay.get(id);
    if (other !== undefined) {
      await settled(other, deadline);
    } else {
      const answer = await inTurn(id, () => answerOrRepeat(access, request, () => write(within)));
      if (answer !== null) return checked(answer, request);
      // Another server has the key.
      await sleep(pause);
    }
    if (performance.now() >= deadline) return refuse("UNDER_WAY", { retryAfter });
  }
}

/** Refuses a key that was used for a different request. */
function checked(answer: Answer | Repeated, { digest }: KeyedRequest): Answer | Repeated {
  if ("kept" in answer && !digest.equals(answer.kept.request)) refuse("KEY_REUSED");
  return answer;
}

async function inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
  const running = work();
  underWay.set(id, running);
  try {
    return await running;
  } finally {
    underWay.delete(id);
  }
}

async function settled(other: Promise<unknown>, deadline: number): Promise<void> {
  const late = new AbortController();
  const left = Math.max(0, deadline - performance.now());
  const lateness = sleep(left, undefined, late).catch(() => {});
  await Promise.race([other.catch(() => {}), lateness]);
  late.abort();
}

/** Returns the response of the write, or a stored one; null while another server works on the key. */
async function answerOrRepeat(
  access: Access,
  request: KeyedRequest,
  write: () => Promise<KeyedAnswer>,
): Promise<Answer | Repeated | null> {
  const kept = await findConfirmed(access, request);
  if (kept !== null) return { kept };
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Elsewhere)) throw error;
    return error.kept === null ? null : { kept: error.kept };
  }
}

/** Wraps transactions so that they claim the key and store the response. */
function keepingAnswer(
  actor: Actor,
  request: KeyedRequest,
  { access, waitMs }: Pick<Keyed, "waitMs"> & { readonly access: Access },
): Within {
  const options = { access, ...(waitMs !== undefined && { waitMs }) };
  const answerOnce = (work: Work) =>
    inUnit(actor, options, async (inner, connection) => {
      if (!(await claimKey(connection, request))) return null;
      const answer = await work(inner, connection);
      if (await keepAnswer(connection, request, answer)) return answer;
      throw new Elsewhere(null);
    });
  return async (work) => {
    try {
      const answer = await answerOnce(work);
      if (answer === null) throw new Elsewhere(null);
      await boundKept(actor, access, { request, answer });
      return answer;
    } catch (error) {
      // Another server may have stored a response between the lookup and the claim; its write then causes this refusal.
      // If the lookup fails, the refusal may be wrong.
      const meanwhile = await findConfirmed(access, request);
      throw meanwhile === null ? error : new Elsewhere(meanwhile);
    }
  };
}

async function boundKept(
  { services }: Actor,
  access: Access,
  { request, answer }: { readonly request: KeyedRequest; readonly answer: KeyedAnswer },
): Promise<void> {
  const { json, outcomes = "" } = answer;
  if (json === null) return;
  const bytes = Buffer.byteLength(json) + Buffer.byteLength(outcomes);
  await boundAnswers(access, services.log, { accountId: request.accountId, bytes });
}

/** Finds a stored response that a failover cannot lose: sending it again acknowledges its write. */
async function findConfirmed(access: Access, request: KeyedRequest): Promise<KeptAnswer | null> {
  const kept = await findAnswer(access, request);
  if (kept !== null) await confirmAnswer(access, request);
  return kept;
}

/** Thrown to roll back the work because another server has the key; contains the response if it is already stored. */
class Elsewhere extends Error {
  readonly kept: KeptAnswer | null;

  constructor(kept: KeptAnswer | null) {
    super("Another server has the key");
    this.kept = kept;
  }
}
