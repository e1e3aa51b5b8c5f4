import { isUnavailable } from "../../db/index.js";
import { Refusal } from "../../errors/index.js";
import { type Actor, inScope, type Unit } from "../../own-code/index.js";
import { blameOf } from "./blame.js";
import { type AppCall, contextOf } from "./context.js";
import { AppCodeFailed, failureOf } from "./failure.js";
import { endLife, newLife } from "./life.js";
import { throwLost } from "./reads.js";
import { withTimeLimit } from "./time-limit.js";
import { retryAfter } from "./unit.js";

/**
 * Runs a *before* hook, or the policy of a write, in the actor's transaction. An error other than a refusal becomes a
 * 500 without details. When the request's timeout for app code expires, the call is aborted and the response is a 503.
 */
export async function callAppCode(
  actor: Actor,
  call: AppCall,
  run: (context: ReturnType<typeof contextOf>) => unknown,
): Promise<unknown> {
  const { services, unit, caller, chain = [], reads } = actor;
  if (unit === undefined) throw new Error(`${call.what} needs a transaction`);
  const names = [...chain, call.what];
  const life = newLife(unit.cut.signal);
  const context = contextOf({ ...actor, chain: names }, call, life);
  const holder = () => (unit.isOver ? null : call.what);
  const work = async () => {
    try {
      const { request = null } = services;
      return await inScope({ request, caller, chain: names, holder, hook: call.what }, async () =>
        run(context),
      );
    } finally {
      await endLife(life);
    }
  };
  try {
    const result = await inTime(unit, work, () => {
      const { hookTimeoutSeconds } = services.config.server;
      const message = `Cut off: hooks and policies took more than ${hookTimeoutSeconds} s`;
      services.log.error({ hook: call.what }, message);
    });
    if (unit.fatal !== null) throw unit.fatal.error;
    throwLost(reads);
    return result;
  } catch (error) {
    if (unit.fatal !== null) throw unit.fatal.error;
    throwLost(reads);
    throw isKnown(error, unit) ? error : failureOf(call.what, error);
  }
}

/** Whether the error is a refusal, which is itself the response. */
function isKnown(error: unknown, { ours }: Unit): boolean {
  if (error instanceof AppCodeFailed) return true;
  if (error instanceof Refusal) return blameOf(error) === null;
  return error instanceof Error && ours.has(error) && isUnavailable(error);
}

/** Limits the time of the outermost call, which nested calls share. Calls `onCut` if it takes longer. */
async function inTime<T>(unit: Unit, work: () => Promise<T>, onCut: () => void): Promise<T> {
  if (unit.depth > 0) return work();
  const { budget, cut } = unit;
  const start = performance.now();
  unit.depth += 1;
  try {
    return await withTimeLimit(
      () => budget.left - (performance.now() - start),
      work,
      () => {
        onCut();
        const error = new Refusal("UNAVAILABLE", { retryAfter });
        unit.fatal = { error };
        cut.abort();
        return error;
      },
    );
  } finally {
    unit.depth -= 1;
    budget.left -= performance.now() - start;
  }
}
