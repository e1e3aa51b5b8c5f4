import { availableParallelism } from "node:os";
import argon2 from "argon2";
import { createQueue } from "../../queue/index.js";

/** The least that OWASP's password storage cheat sheet asks of Argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What an account without a password, and no account at all, is checked against: the same work, never right. */
const dummyHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

// Argon2 runs on libuv's threads, four unless the operator asks for more. 128 that wait are about two
// seconds of work on two processors; whoever would wait longer is told to come back.
const queue = createQueue({ concurrency: Math.min(availableParallelism(), 4), waiting: 128 });

/** Argon2id of a password in its comparable form. Refuses with `UNAVAILABLE` in a flood. */
export function hashPassword(password: string): Promise<string> {
  return queue.run(() => argon2.hash(password, { ...cost, type: argon2.argon2id }));
}

/**
 * Whether the password is the stored one; without a stored one false, after the same work. Refuses
 * with `UNAVAILABLE` in a flood.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await queue.run(() => argon2.verify(stored ?? dummyHash, password));
  return stored !== null && matches;
}

/** Whether a stored hash was made with less work than today's. */
export function isWeakHash(stored: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(stored) ?? [];
  return Number(memory ?? 0) < cost.memoryCost || Number(time ?? 0) < cost.timeCost;
}
