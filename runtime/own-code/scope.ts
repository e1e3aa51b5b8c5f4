import { AsyncLocalStorage } from "node:async_hooks";
import type { Caller } from "./caller.js";

/** What the app's own code runs in, wherever it is called from. */
export interface Scope {
  readonly caller: Caller | null;
  readonly chain: readonly string[];
  /** What holds a connection while the code runs, for messages; null where nothing does. */
  holder(): string | null;
}

const scopes = new AsyncLocalStorage<Scope>();

export function inScope<T>(scope: Scope, work: () => T): T {
  return scopes.run(scope, work);
}

/**
 * The scope of own code that is about to use `name`, which takes a connection from the pool. Throws where one
 * is held already: many that hold one and wait for another would block each other.
 */
export function scopeFor(name: string): Scope {
  const scope = scopes.getStore() ?? outside;
  const holder = scope.holder();
  if (holder === null) return scope;
  throw new Error(`${name} cannot be used in ${holder}: use what that is given`);
}

const outside: Scope = { caller: null, chain: [], holder: () => null };
