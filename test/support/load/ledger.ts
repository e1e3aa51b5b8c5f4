import { setTimeout as sleep } from "node:timers/promises";
import { ask, type Outcome, type Question } from "./ask.js";

/** Writes acknowledged to the clients of a load, and failures. */
export interface Ledger {
  /** Created products: name → acknowledged id. */
  readonly created: Map<string, string>;
  /** Changed products: id → last acknowledged stock. */
  readonly stocks: Map<string, number>;
  /** Tokens whose sign-out was acknowledged. */
  readonly revoked: string[];
  /** Accounts: address → last acknowledged password. */
  readonly passwords: Map<string, string>;
  /** Uploaded files: key → the SHA-256 of their bytes. */
  readonly files: Map<string, string>;
  /** How often each of these lists of addresses was used: the next account is another one, since sign-ins are limited. */
  readonly turns: Map<readonly string[], number>;
  /** Number of replayed answers. */
  replayed: number;
  /** Violations; none may occur. */
  readonly wrong: string[];
  /** Counts of this phase. */
  readonly phase: Phase;
  newPhase(): void;
}

interface Phase {
  requests: number;
  /** Requests that a client had to repeat, or that were refused though they were right. */
  readonly failed: string[];
  /** Times of correct answers to writes and reads, by `performance.now()`. */
  readonly writes: number[];
  readonly reads: number[];
}

export function newLedger(): Ledger {
  const ledger = {
    created: new Map(),
    stocks: new Map(),
    revoked: [],
    passwords: new Map(),
    files: new Map(),
    turns: new Map(),
    replayed: 0,
    wrong: [],
    phase: emptyPhase(),
    newPhase: () => {
      ledger.phase = emptyPhase();
    },
  };
  return ledger;
}

function emptyPhase(): Phase {
  return { requests: 0, failed: [], writes: [], reads: [] };
}

/** Seconds of the longest time without a response, from the first to the last one. */
export function longestGap(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const gaps = sorted.slice(1).map((time, at) => time - (sorted[at] ?? time));
  return Math.max(0, ...gaps) / 1_000;
}

/** Servers of a load's clients, and their ledger. */
export interface Load {
  readonly url: string;
  /** Of each server, past nginx. */
  readonly servers: readonly string[];
  readonly token: string;
  readonly categoryId: string;
  readonly ledger: Ledger;
  isOver(): boolean;
}

/** Milliseconds between two attempts. */
const pause = 200;
/** Attempts of one request, for about two minutes. */
const maxTries = 600;

/**
 * What every client does: sends the request, and again until it is answered with one of these statuses. Whatever says that
 * the request may succeed later, or that its response is lost, is repeated; any other answer is wrong.
 */
export async function insist(
  { url, ledger }: Load,
  question: Question,
  expected: readonly number[],
): Promise<Outcome> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { phase } = ledger;
    const outcome = await ask(url, question);
    phase.requests += 1;
    if (expected.includes(outcome.status)) {
      const times = question.method === "GET" ? phase.reads : phase.writes;
      times.push(performance.now());
      if (outcome.headers["idempotency-replayed"] === "true") ledger.replayed += 1;
      return outcome;
    }
    const said = `${question.method} ${question.path}: ${outcome.status} ${outcome.reason.slice(0, 200)}`;
    // Attempts that failed count toward the ten a minute as well.
    const hasTried = phase.failed.some((one) => one.startsWith("POST /auth/"));
    phase.failed.push(said);
    if (outcome.status === 429 && hasTried) {
      await sleep(Number(outcome.headers["retry-after"]) * 1_000);
      continue;
    }
    if (![0, 409, 502, 503, 504].includes(outcome.status)) {
      ledger.wrong.push(said);
      return outcome;
    }
    await sleep(pause);
  }
  throw new Error(`never answered: ${question.method} ${question.path}`);
}
