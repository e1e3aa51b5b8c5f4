import { setMaxListeners } from "node:events";
import { type AfterHook, type AppCode, inScope, type Log } from "../../own-code/index.js";
import { contextOf } from "./context.js";
import { failureOf } from "./failure.js";
import { endLife, newLife } from "./life.js";
import { withTimeLimit } from "./time-limit.js";

export interface AfterHooks extends Pick<AppCode, "runAfter" | "isBusy"> {
  /** Resolves when no hook is running or waiting. */
  idle(): Promise<void>;
  /** Resolves when all hooks have run. After `ms` milliseconds, aborts the rest and resolves. */
  finish(ms: number): Promise<void>;
}

/** The maximum number of transactions whose hooks run concurrently; hooks of the same transaction run in order. */
const maxRunning = 100;

/** The maximum number of transactions whose hooks are waiting; beyond it, writes are refused. */
const maxWaiting = 10_000;

export function newAfterHooks(log: Log, hookTimeoutSeconds: number): AfterHooks {
  /** The queued hooks, by transaction. */
  const waiting: (readonly AfterHook[])[] = [];
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  // One listener per running hook; Node.js warns of more than ten.
  setMaxListeners(maxRunning, stop.signal);
  const limits = { stop: stop.signal, seconds: hookTimeoutSeconds };

  function startNext(): void {
    while (running.size < maxRunning && !stop.signal.aborted) {
      const next = waiting.shift();
      if (next === undefined) return;
      const all: Promise<void> = runAll(next).finally(() => {
        running.delete(all);
        startNext();
      });
      running.add(all);
    }
  }

  async function runAll(hooks: readonly AfterHook[]): Promise<void> {
    for (const hook of hooks) if (!stop.signal.aborted) await runOne(hook, limits);
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.race(running);
  }

  async function finish(ms: number): Promise<void> {
    try {
      await withTimeLimit(ms, idle, () => new Error("too late"));
    } catch {
      log.error({ transactions: running.size + waiting.length }, "Hooks after writes were cut off");
      waiting.length = 0;
      stop.abort();
    }
  }

  return {
    runAfter: (hooks) => {
      waiting.push(hooks);
      startNext();
    },
    isBusy: () => waiting.length >= maxWaiting,
    idle,
    finish,
  };
}

/** The limits of running hooks: a signal that aborts them, and a timeout. */
interface HookLimits {
  readonly stop: AbortSignal;
  readonly seconds: number;
}

async function runOne(hook: AfterHook, { stop, seconds }: HookLimits): Promise<void> {
  const { actor, resource, hook: name, id, cascadedFrom, isTrashed, records } = hook;
  const what = `${resource}.${name}`;
  const cut = new AbortController();
  const cutOff = () => cut.abort();
  stop.addEventListener("abort", cutOff);
  const life = newLife(cut.signal);
  const { services, caller, chain = [] } = actor;
  const context = contextOf(actor, { what, id, cascadedFrom, isTrashed }, life);
  const hooks = services.appCode.hooks[resource];
  const work = async () => {
    const given = [...records.map((record) => JSON.parse(services.signFiles(record))), context];
    const scope = {
      request: services.request ?? null,
      caller,
      chain,
      holder: () => null,
      hook: what,
    };
    await inScope(scope, async () => Reflect.apply(hooks?.[name] ?? (() => {}), hooks, given));
    await endLife(life);
  };
  try {
    await withTimeLimit(seconds * 1_000, work, () => {
      cut.abort();
      return new Error(`took more than ${seconds} s and was cut off`);
    });
  } catch (error) {
    services.log.error(
      { err: failureOf(what, error), hook: what, id },
      "A hook after a write failed",
    );
  } finally {
    life.isOver = true;
    stop.removeEventListener("abort", cutOff);
  }
}
