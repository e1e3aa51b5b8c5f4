import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestState } from "../request/index.js";
import type { Caller } from "./caller.js";

/** What the app's own code runs in, wherever it is called from. */
export interface Scope {
  /** What the code belongs to; null outside requests and jobs. */
  readonly request: RequestState | null;
  readonly caller: Caller | null;
  readonly chain: readonly string[];
  /** What holds a connection while the code runs, for messages; null where nothing does. */
  holder(): string | null;
  /** The hook or policy that runs, `orders.afterCreate`; left out for code that runs as a part of the one around it. */
  readonly hook?: string;
}

/** The only storage that follows code by itself: own code begins in `inScope`, and the package passes the rest on. */
const scopes = new AsyncLocalStorage<Scope>();

export function inScope<T>(scope: Scope, work: () => T): T {
  const { hook = currentScope().hook } = scope;
  return scopes.run(hook === undefined ? scope : { ...scope, hook }, work);
}

/** That of the running code. It is known when what has started the code is over, too. */
export function currentScope(): Scope {
  return scopes.getStore() ?? outside;
}

/**
 * The scope of own code that is about to use `name`, which takes a connection from the pool. Throws where one
 * is held already: many that hold one and wait for another would block each other.
 */
export function scopeFor(name: string): Scope {
  const scope = currentScope();
  const holder = scope.holder();
  if (holder === null) return scope;
  throw new Error(`${name} cannot be used in ${holder}: use what that is given`);
}

const outside: Scope = { request: null, caller: null, chain: [], holder: () => null };
