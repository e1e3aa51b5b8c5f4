import { storedForTab, storeForTab } from "./stored.js";

/** A sign-in that waits for its second step; stored for the tab, so that it survives a reload. */
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
    storeForTab(key, challenge);
  } catch {
    // Without storage, a reload restarts the sign-in.
  }
  current = challenge;
}

let current: Challenge | null = null;

export function keptChallenge(): Challenge | null {
  current ??= storedForTab(key);
  return current;
}

/** A sign-in at a provider; stored for the tab that started it, because its ticket requires the tab's secret. */
export interface Departure {
  readonly secret: string;
  readonly what: "sign-in" | "link";
  /** The id of the account to link, because another account may be signed in on return. Null for a sign-in. */
  readonly account: string | null;
  readonly redirectTo: string;
}

const departureKey = "dashboard:provider";

/** Stores a departure. Throws if there is no storage, because a return could not be completed. */
export function keepDeparture(departure: Departure): void {
  storeForTab(departureKey, departure);
}

/** Returns this tab's departure, and removes it. */
export function takeDeparture(): Departure | null {
  const kept = storedForTab<Departure>(departureKey);
  if (kept !== null) storeForTab(departureKey, null);
  return kept;
}
