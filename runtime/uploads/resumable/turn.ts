import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { UploadServices } from "../objects/services.js";
import {
  askForTurn,
  deadAfter,
  endTurns,
  findAtRest,
  type Resumable,
  releaseTurn,
  renewTurn,
  takeTurn,
  type Wanted,
} from "./store.js";

/**
 * The exclusive right of a request to change an upload, on any server. It is a number in the upload's row. A request
 * for the next turn writes a higher number; the request that has the turn checks the number twice a second, then stops
 * and releases the turn.
 *
 * A turn needs no connection, so that it works behind any pooler. If a request dies, the turn expires without
 * heartbeats.
 */
export interface Turn {
  readonly id: string;
  readonly turn: number;
  readonly upload: Resumable;
  /** Aborted when the turn must end. */
  readonly signal: AbortSignal;
  /** Throws if the turn may have expired, in which case nothing more may be written. */
  assertHeld(): void;
  /** Notes that a statement has renewed the turn; `sentAt` is the time from `performance.now()` at which it was sent. */
  noteAlive(sentAt: number): void;
}

/** Milliseconds between two heartbeats; below it, between two checks of a waiting request. */
const beat = 500;
const look = 100;

/** Milliseconds that a request waits for the turn; below it, after which a request without a heartbeat stops. */
const patience = 15_000;
const trusted = deadAfter * 1_000 - 2_000;

/**
 * Runs the work in a new turn, after ending the current one. 404 if the sender has no such upload, 409 if a later
 * request overtakes this one.
 */
export async function inTurn<T>(
  services: Pick<UploadServices, "db" | "log">,
  wanted: Wanted,
  work: (turn: Turn) => Promise<T>,
): Promise<T> {
  const { db, log } = services;
  const { turn, upload, askedAt } = await begin(db, wanted);
  let aliveSince = askedAt;
  const ending = new AbortController();
  const noteAlive = (sentAt: number) => {
    aliveSince = sentAt;
  };
  const isTrusted = () => performance.now() - aliveSince < trusted;

  async function showLife(): Promise<void> {
    const sentAt = performance.now();
    try {
      if (await renewTurn(db, wanted.id, turn)) noteAlive(sentAt);
      else ending.abort();
    } catch {
      if (!isTrusted()) ending.abort();
    }
  }

  let isShowing = false;
  const beats = setInterval(async () => {
    if (isShowing) return;
    isShowing = true;
    await showLife();
    isShowing = false;
  }, beat);
  try {
    return await work({
      id: wanted.id,
      turn,
      upload,
      signal: ending.signal,
      noteAlive,
      assertHeld: () => {
        if (!isTrusted()) refuse("OVERTAKEN");
      },
    });
  } finally {
    clearInterval(beats);
    await releaseTurn(db, wanted.id, turn).catch((error: unknown) => {
      log.warn(
        { err: error },
        "an upload could not be released; it is released automatically within seconds",
      );
    });
  }
}

async function begin(db: Queryable, wanted: Wanted) {
  const askedAt = performance.now();
  const request = (await askForTurn(db, wanted)) ?? refuse("NOT_FOUND");
  const { turn, upload } = request;
  if (upload !== null) return { turn, upload, askedAt };
  return waiting(async () => {
    const sentAt = performance.now();
    const taken = await takeTurn(db, wanted.id, turn);
    if (taken === "overtaken") return refuse("OVERTAKEN");
    if (taken === "gone") return refuse("NOT_FOUND");
    return taken && { turn, upload: taken, askedAt: sentAt };
  });
}

/**
 * The upload once every earlier request has ended. Without a turn, it must not be changed. 404 if there is no such
 * upload.
 */
export async function atRest(db: Queryable, wanted: Wanted): Promise<Resumable> {
  const turn = (await endTurns(db, wanted)) ?? refuse("NOT_FOUND");
  return waiting(async () => {
    const found = await findAtRest(db, wanted, turn);
    return found === "gone" ? refuse("NOT_FOUND") : found;
  });
}

/** Polls for a result that is not null; 503 after a timeout. */
async function waiting<T>(ask: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > deadline) return refuse("UNAVAILABLE", { retryAfter: 2 });
    await sleep(look);
  }
}
