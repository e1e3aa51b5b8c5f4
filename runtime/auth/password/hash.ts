import { availableParallelism } from "node:os";
import argon2 from "argon2";
import { createQueue } from "../../queue/index.js";

/** The minimum for Argon2id in OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Checked when there is no account or password: the same work, and nothing matches it. */
const dummyHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

// Argon2 runs on libuv's threads, four by default. A queue of 128 is about two seconds of work on two processors;
// requests beyond it get 503.
const queue = createQueue({ concurrency: Math.min(availableParallelism(), 4), waiting: 128 });

/** How many passwords wait to be hashed or compared. */
export function passwordsWaiting(): number {
  return queue.waiting();
}

/** Hashes a password in its comparable form with Argon2id. Refuses with `UNAVAILABLE` when the queue is full. */
export function hashPassword(password: string): Promise<string> {
  return queue.run(() => argon2.hash(password, { ...cost, type: argon2.argon2id }));
}

/**
 * Whether the password matches the stored hash; false without one, after the same work. Refuses with
 * `UNAVAILABLE` when the queue is full.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await queue.run(() => argon2.verify(stored ?? dummyHash, password));
  return stored !== null && matches;
}

/** Whether a stored hash was made with a lower cost than the current one. */
export function isWeakHash(stored: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(stored) ?? [];
  return Number(memory ?? 0) < cost.memoryCost || Number(time ?? 0) < cost.timeCost;
}
