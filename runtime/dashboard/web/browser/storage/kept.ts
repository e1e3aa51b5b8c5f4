import { useMemo, useState, useSyncExternalStore } from "react";
import { keep as keepText, kept as keptText } from "./preferences.js";

const listeners = new Set<() => void>();
/** Values for browsers without storage, until the page is closed. */
const memory = new Map<string, string>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function readKept<Value>(
  account: string,
  name: string,
  read: (json: unknown) => Value,
): Value {
  return parsed(jsonOf(account, name), read);
}

export function keep(account: string, name: string, value: unknown): void {
  const json = JSON.stringify(value);
  memory.set(`${account}:${name}`, json);
  keepText(nameOf(account, name), json);
  for (const listener of listeners) listener();
}

/** Returns a value stored in this browser, and a function that changes it. `read` parses the stored text. */
export function useKept<Value>(
  account: string,
  name: string,
  read: (json: unknown) => Value,
): readonly [Value, (next: Value) => void] {
  const json = useSyncExternalStore(subscribe, () => jsonOf(account, name));
  const [reader] = useState(() => read);
  const value = useMemo(() => parsed(json, reader), [json, reader]);
  return [value, (next) => keep(account, name, next)];
}

/** Returns the name of the value with the account's id, because several users may share a browser. */
function nameOf(account: string, name: string): string {
  return `dashboard:${account}:${name}`;
}

function jsonOf(account: string, name: string): string | null {
  return keptText(nameOf(account, name)) ?? memory.get(`${account}:${name}`) ?? null;
}

function parsed<Value>(json: string | null, read: (json: unknown) => Value): Value {
  try {
    return read(json === null ? undefined : JSON.parse(json));
  } catch {
    return read(undefined);
  }
}

/** Returns the strings of a stored list; other values are dropped. */
export function wordsIn(json: unknown): readonly string[] {
  return Array.isArray(json) ? json.filter((one) => typeof one === "string") : [];
}
