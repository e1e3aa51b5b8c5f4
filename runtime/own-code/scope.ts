import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestState } from "../request/index.js";
import type { Caller } from "./caller.js";

/** The context in which app code runs, regardless of its caller. */
export interface Scope {
  /** The request or job to which the code belongs; null outside of both. */
  readonly request: RequestState | null;
  readonly caller: Caller | null;
  readonly chain: readonly string[];
  /** The name of the code that holds a connection, for messages; null if there is none. */
  holder(): string | null;
  /**
   * The running hook or policy, such as `orders.afterCreate`; omitted for code that is part of the surrounding hook.
   */
  readonly hook?: string;
}

/**
 * Stores the scope of app code, which begins in `inScope`. Two other storages hold no data of a request: the savepoints
 * in which app code runs, so that it cannot wait for itself, and the setup of a test. Everything else is passed as
 * arguments.
 */
const scopes = new AsyncLocalStorage<Scope>();

export function inScope<T>(scope: Scope, work: () => T): T {
  const { hook = currentScope().hook } = scope;
  return scopes.run(hook === undefined ? scope : { ...scope, hook }, work);
}

/** Returns the scope of the running code, even after the code that started it has ended. */
export function currentScope(): Scope {
  return scopes.getStore() ?? outside;
}

/**
 * Returns the scope for app code that is about to take a connection for `name`. Throws if it already holds one: callers
 * that each hold one connection and wait for another would deadlock.
 */
export function scopeFor(name: string): Scope {
  const scope = currentScope();
  const holder = scope.holder();
  if (holder === null) return scope;
  throw new Error(`${name} cannot be used in ${holder}: use what is passed to its function`);
}

const outside: Scope = { request: null, caller: null, chain: [], holder: () => null };
