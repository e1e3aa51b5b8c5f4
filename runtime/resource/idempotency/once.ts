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
import { type KeyedRequest, keyedRequest } from "./key.js";

/** The work that answers a request, in the actor's transaction. */
type Work = (inner: Actor, connection: Transaction) => Promise<KeyedAnswer>;

/** A request with a key. */
export interface Keyed {
  readonly key: string;
  /** The body as sent. */
  readonly bytes: Uint8Array;
  readonly access: Access;
  /** Runs before the transaction, once, and only if there is no response yet. */
  readonly before?: (() => Promise<void>) | undefined;
  /** Milliseconds that its transaction waits for a connection, if longer than usual. */
  readonly waitMs?: number | undefined;
}

/** Milliseconds for which a request waits for an earlier one with its key. */
const patience = 5_000;

/** Milliseconds between two checks whether another server has answered. */
const pause = 100;

/** Seconds, for `Retry-After`. */
const retryAfter = 2;

/** The keys in use in this process, so that requests with the same key wait without querying the database. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Answers a request by the work, or returns the stored response of an earlier request with its key.
 * The response is stored in the transaction of the work: both are stored, or neither. Refusals are
 * not stored. While another request with the key is in progress, this one waits without a
 * connection; 409 after five seconds.
 */
export async function once(context: Context, keyed: Keyed, work: Work): Promise<Answer | Repeated> {
  const request = keyedRequest(context, keyed.key, keyed.bytes);
  let judged: Promise<void> | null = null;
  const before = () => {
    judged ??= keyed.before?.() ?? Promise.resolve();
    return judged;
  };
  const id = `${request.accountId} ${request.key}`;
  const deadline = performance.now() + patience;
  for (;;) {
    const other = underWay.get(id);
    if (other !== undefined) {
      await settled(other, deadline);
    } else {
      const answer = await inTurn(id, () =>
        answerOrRepeat(context, request, { ...keyed, before, work }),
      );
      if (answer !== null) return checked(answer, request);
      // Another server has the key.
      await sleep(pause);
    }
    if (performance.now() >= deadline) return refuse("UNDER_WAY", { retryAfter });
  }
}

/** Refuses a key that was used for another request. */
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

/** The response of the work, or a stored one; null while another server works on the key. */
async function answerOrRepeat(
  actor: Actor,
  request: KeyedRequest,
  {
    access,
    before,
    work,
    waitMs,
  }: Pick<Keyed, "access" | "before" | "waitMs"> & {
    readonly work: Work;
  },
): Promise<Answer | Repeated | null> {
  const kept = await findConfirmed(access, request);
  if (kept !== null) return { kept };
  await before?.();
  try {
    const run = async (inner: Actor, connection: Transaction) => {
      if (!(await claimKey(connection, request))) return null;
      const answer = await work(inner, connection);
      if (await keepAnswer(connection, request, answer)) return answer;
      throw new KeptMeanwhile();
    };
    const answer = await inUnit(actor, { access, ...(waitMs !== undefined && { waitMs }) }, run);
    if (answer !== null && answer.json !== null) {
      const { accountId } = request;
      const { json, outcomes = "" } = answer;
      const bytes = Buffer.byteLength(json) + Buffer.byteLength(outcomes);
      await boundAnswers(access, actor.services.log, { accountId, bytes });
    }
    return answer;
  } catch (error) {
    // Between the look-up and the claim another server may have answered: its write then causes this refusal. If that
    // cannot be looked up, the refusal may be wrong.
    const meanwhile = await findConfirmed(access, request);
    if (meanwhile !== null) return { kept: meanwhile };
    if (error instanceof KeptMeanwhile) return null;
    throw error;
  }
}

/** A stored response that a failover cannot lose: sending it again acknowledges its write. */
async function findConfirmed(access: Access, request: KeyedRequest): Promise<KeptAnswer | null> {
  const kept = await findAnswer(access, request);
  if (kept !== null) await confirmAnswer(access, request);
  return kept;
}

/** Thrown to roll back the work, because another server has stored a response in the meantime. */
class KeptMeanwhile extends Error {}
