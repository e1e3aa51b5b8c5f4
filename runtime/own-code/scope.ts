import { AsyncLocalStorage } from "node:async_hooks";
import { currentRequest, type RequestState } from "../request/index.js";
import type { Caller } from "./caller.js";

/** What the app's own code runs in, wherever it is called from. */
export interface Scope {
  readonly caller: Caller | null;
  readonly chain: readonly string[];
  /** What holds a connection while the code runs, for messages; null where nothing does. */
  holder(): string | null;
  /** The hook or policy that runs, `orders.afterCreate`; left out for code that runs as a part of the one around it. */
  readonly hook?: string;
}

/** What running code is a part of. */
export interface Origin {
  /** Null outside requests and jobs. */
  readonly request: RequestState | null;
  /** Null outside hooks and policies. */
  readonly hook: string | null;
}

const scopes = new AsyncLocalStorage<Scope & { readonly origin: Origin }>();

export function inScope<T>(scope: Scope, work: () => T): T {
  const around = currentOrigin();
  return scopes.run({ ...scope, origin: { ...around, hook: scope.hook ?? around.hook } }, work);
}

/** That of the running code. Unlike `currentRequest()`, it is known when what has started the code is over. */
export function currentOrigin(): Origin {
  const { request, hook } = scopes.getStore()?.origin ?? nowhere;
  return { request: currentRequest() ?? request, hook };
}

const nowhere: Origin = { request: null, hook: null };

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
