import { forget, keep, kept } from "./preferences.js";

/** The id of the account that this browser is signed in with; empty after signing out. No secret, unlike its cookie. */
const name = "dashboard:account";

/** Informs the other tabs of who is signed in now; null: nobody. */
export function noteAccount(id: string | null): void {
  if (kept(name) === (id ?? "")) return;
  // A storage without room must not keep the former one.
  if (!keep(name, id ?? "")) forget(name);
}

/**
 * Whether another tab has signed out, or signed somebody else in: the cookie belongs to all tabs, so that this one
 * would read and write in the name of another person.
 */
export function isTakenFrom(id: string): boolean {
  return (kept(name) ?? id) !== id;
}

/** Calls `leave` as soon as that has happened, and when somebody returns to a tab that was suspended. */
export function watchAccount(id: string, leave: () => void): () => void {
  const look = () => {
    if (isTakenFrom(id)) leave();
  };
  const events = ["storage", "pageshow", "focus"];
  for (const event of events) addEventListener(event, look);
  return () => {
    for (const event of events) removeEventListener(event, look);
  };
}
