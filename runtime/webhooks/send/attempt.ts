import type { Clock } from "../../clock/index.js";
import type { Config } from "../../config/index.js";
import type { Database } from "../../db/index.js";
import { AddressRefused, type Resolve } from "../../dial/index.js";
import { reasonOf } from "../../errors/index.js";
import type { Mailer } from "../../mail/index.js";
import type { Log } from "../../own-code/index.js";
import type { IpRange } from "../../values/addresses/ip-range.js";
import type { ClaimedDelivery } from "../store/claim.js";
import { disableFailing, endFailed, endSucceeded } from "../store/end.js";
import { readSecret } from "../store/secrets.js";
import { mailOperators } from "./mail-operators.js";
import { pauseAfter, readRetryAfter } from "./pauses.js";
import { type Answered, post } from "./post.js";
import { signedHeaders } from "./sign.js";

/** The outcome of an attempt. `refused`: no request was sent, because the address may not be called. */
export type TryResult = "succeeded" | "failed" | "timed_out" | "refused";

export interface AttemptParts {
  readonly config: Pick<Config, "secret" | "previousSecret" | "auth">;
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly log: Log;
  readonly allowed: readonly IpRange[];
  readonly resolve?: Resolve;
  readonly onEnded: (result: TryResult) => void;
  /** Timeout of an attempt, in milliseconds. */
  readonly mostMs: number;
}

/** The attempt was aborted because its process ends; the delivery is released. */
export class Stopped extends Error {}

/** Attempts a delivery and stores the outcome; returns `stopped` if the process ends first. */
export async function attemptDelivery(
  parts: AttemptParts,
  delivery: ClaimedDelivery,
  cut: AbortSignal,
): Promise<"ended" | "stopped"> {
  const { db, onEnded, mostMs } = parts;
  const late = AbortSignal.timeout(mostMs);
  const sent = await send(parts, delivery, AbortSignal.any([cut, late]));
  if ("error" in sent && cut.aborted) return "stopped";
  if (!("error" in sent) && isAccepted(sent)) {
    onEnded("succeeded");
    await endSucceeded(db, delivery, sent.status);
    return "ended";
  }
  const failure = failureOf(parts, sent, late);
  onEnded(failure.result);
  await storeFailure(parts, delivery, failure);
  return "ended";
}

async function send(
  { config, clock, allowed, resolve }: AttemptParts,
  { id, webhookId, body, url, ...stored }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Answered | { readonly error: unknown }> {
  try {
    const encrypted = [stored.secret, stored.formerSecret].filter((one) => one !== null);
    const secrets = encrypted.map((one) => readSecret(config, webhookId, one).plain);
    const headers = signedHeaders({ id, at: clock.now(), body }, secrets);
    return await post({ url, body, headers, allowed, signal, ...(resolve && { resolve }) });
  } catch (error) {
    return { error };
  }
}

function isAccepted({ status }: Answered): boolean {
  return status >= 200 && status < 300;
}

interface Failure {
  readonly result: Exclude<TryResult, "succeeded">;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
  readonly error: string;
  /** Seconds of the receiver's `Retry-After`; null without one. */
  readonly wait: number | null;
}

function failureOf(
  { clock, mostMs }: AttemptParts,
  sent: Answered | { readonly error: unknown },
  late: AbortSignal,
): Failure {
  if (!("error" in sent)) {
    const { status, retryAfter } = sent;
    const wait = readRetryAfter(retryAfter, clock.now());
    return { result: "failed", status, error: `The receiver responded with ${status}`, wait };
  }
  const unanswered = { status: null, wait: null };
  if (late.aborted) {
    const error = `There was no response within ${mostMs / 1_000} s`;
    return { ...unanswered, result: "timed_out", error };
  }
  const result = sent.error instanceof AddressRefused ? "refused" : "failed";
  return { ...unanswered, result, error: textOf(sent.error) };
}

/** The HTTP status with which a receiver reports that it no longer exists. */
const gone = 410;

async function storeFailure(
  parts: AttemptParts,
  delivery: ClaimedDelivery,
  { status, error, wait }: Failure,
): Promise<void> {
  const { db, log } = parts;
  const isGone = status === gone;
  const { id, webhookId, type } = delivery;
  const attempt = delivery.attempts + 1;
  const pause = isGone ? null : pauseAfter(attempt, wait);
  log.warn({ id, webhookId, type, attempt, status, reason: error }, "A webhook was not delivered");
  await db.transaction(async (tx) => {
    if (!(await endFailed(tx, delivery, { status, error, pause }))) return;
    const disabled = await disableFailing(tx, webhookId, { isGone });
    if (disabled !== null) {
      await mailOperators({ ...parts, db: tx }, { url: disabled.url, isGone });
    }
  });
}

/** Maximum number of characters of a stored error. */
const maxLength = 500;

/** The text of an error. If all addresses of a host failed, the error has only a code. */
function textOf(error: unknown): string {
  const isCoded = error instanceof Error && error.message === "" && "code" in error;
  const text = isCoded ? String(error.code) : reasonOf(error);
  return text.replaceAll("\0", "").toWellFormed().slice(0, maxLength);
}
