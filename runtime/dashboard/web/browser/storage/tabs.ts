import { forget, keep, kept } from "./preferences.js";

/**
 * The storage key for the id of the account signed in with this browser; the id is empty after signing out. Unlike the
 * cookie, it is not secret.
 */
const name = "dashboard:account";

/** Informs other tabs of the signed-in account; null if there is none. */
export function noteAccount(id: string | null): void {
  if (kept(name) === (id ?? "")) return;
  // If the storage is full, the previous id must not stay in it.
  if (!keep(name, id ?? "")) forget(name);
}

/** Whether an account is signed in with this browser, according to its storage. */
export function isAccountNoted(): boolean {
  return (kept(name) ?? "") !== "";
}

/**
 * Whether another tab has signed out, or signed in with another account: all tabs share the cookie, so this tab would
 * read and write as that account.
 */
export function isTakenFrom(id: string): boolean {
  return (kept(name) ?? id) !== id;
}

/** Calls `leave` as soon as another tab signs out or changes the account, and when a suspended tab is resumed. */
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
