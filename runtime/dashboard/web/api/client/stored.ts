/** Returns the value stored as JSON under a key for this tab; null if there is none. */
export function storedForTab<Value>(key: string): Value | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a value for this tab, or removes it (null). Throws if the browser has no storage. */
export function storeForTab(key: string, value: object | null): void {
  if (value === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(value));
}
