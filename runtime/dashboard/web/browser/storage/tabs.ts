import { forget, keep, kept } from "./preferences.js";

/** The id of the account signed in with this browser; empty after signing out. Unlike its cookie, it is not secret. */
const name = "dashboard:account";

/** Informs other tabs of the signed-in account; null if none is signed in. */
export function noteAccount(id: string | null): void {
  if (kept(name) === (id ?? "")) return;
  // If the storage is full, the previous id must not stay in it.
  if (!keep(name, id ?? "")) forget(name);
}

/** Whether an account is signed in with this browser, as far as its storage shows. */
export function isAccountNoted(): boolean {
  return (kept(name) ?? "") !== "";
}

/**
 * Whether another tab has signed out, or signed in with another account: all tabs share the cookie, so that this one
 * would read and write as that account.
 */
export function isTakenFrom(id: string): boolean {
  return (kept(name) ?? id) !== id;
}

/**
 * Calls `leave` as soon as another tab signs out or changes the account, and on return to a
 * suspended tab.
 */
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
