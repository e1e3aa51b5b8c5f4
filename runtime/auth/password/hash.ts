import { availableParallelism } from "node:os";
import { createQueue } from "../../queue/index.js";
import { loadArgon2 } from "./foreign/load.js";
import { matchesHash } from "./foreign/match.js";
import { readHash } from "./foreign/read.js";

/** The minimum for Argon2id in OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Checked if there is no account or no password, so that the work is the same. No password matches it. */
const dummyHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

// Argon2 runs on libuv's threads, four by default. A queue of 128 is about two seconds of work on two processors;
// requests beyond it get 503.
const queue = createQueue({ concurrency: Math.min(availableParallelism(), 4), waiting: 128 });

export function passwordsWaiting(): number {
  return queue.waiting();
}

/** Hashes a password in its comparable form with Argon2id. Refuses with `UNAVAILABLE` if the queue is full. */
export function hashPassword(password: string): Promise<string> {
  return queue.run(async () => {
    const { default: argon2 } = await loadArgon2();
    return argon2.hash(password, { ...cost, type: argon2.argon2id });
  });
}

export interface SentPassword {
  readonly sent: string;
  readonly comparable: string;
}

/**
 * How a password matches a stored hash; `foreign` means by a rule of another back end, so the hash must be replaced.
 */
export type Matching = "none" | "own" | "foreign";

/**
 * Returns how the password matches the stored hash; `none` if there is no hash, after the same work. Refuses with
 * `UNAVAILABLE` if the queue is full. A hash from another back end may be of the text as sent, or of its comparable
 * form.
 */
export function matchPassword(
  stored: string | null,
  { sent, comparable }: SentPassword,
): Promise<Matching> {
  return queue.run(async () => {
    const hash = readHash(stored ?? dummyHash);
    if (hash === null) return "none";
    const isOurs = hash.kind === "argon2id";
    // Bcrypt gets the text as sent. Argon2id hashes made here are also checked twice, so that a text with two forms
    // costs the same for every address.
    const forms = hash.kind === "bcrypt" ? [sent] : [...new Set([comparable, sent])];
    let found: Matching = "none";
    for (const form of forms) {
      const matches = await matchesHash(hash, form);
      if (matches && found === "none") found = isOurs && form === comparable ? "own" : "foreign";
    }
    return stored === null ? "none" : found;
  });
}

/** Whether the password, in its comparable form, matches the stored hash: see `matchPassword`. */
export async function verifyPassword(stored: string | null, comparable: string): Promise<boolean> {
  return (await matchPassword(stored, { sent: comparable, comparable })) !== "none";
}

/** Whether a stored hash is of another kind than new hashes, or was made with a lower cost. */
export function isWeakHash(stored: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(stored) ?? [];
  return Number(memory ?? 0) < cost.memoryCost || Number(time ?? 0) < cost.timeCost;
}
