/** A sign-in that waits for its second step; stored for the tab, so that a reload does not start again. */
export interface Challenge {
  readonly challenge: string;
  readonly methods: readonly SecondMethod[];
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly email: string | null;
  readonly redirectTo: string;
  readonly tries: number;
}

export type SecondMethod = "totp" | "email" | "backup";

const key = "dashboard:challenge";

export function keepChallenge(challenge: Challenge | null): void {
  try {
    if (challenge === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(challenge));
  } catch {
    // Without storage, a reload starts again.
  }
  current = challenge;
}

let current: Challenge | null = null;

export function keptChallenge(): Challenge | null {
  if (current !== null) return current;
  try {
    const kept = sessionStorage.getItem(key);
    current = kept === null ? null : (JSON.parse(kept) as Challenge);
  } catch {
    current = null;
  }
  return current;
}
