import type { PoolWay } from "../pool/pool.js";
import type { Cost, Dependence, Plan } from "../statement/plan.js";

/** How a plan is run. */
export interface Way extends PoolWay {
  /**
   * The pipelined connection on which the plan is sent, unless the connection is busy; otherwise
   * the pool runs the plan.
   */
  readonly pipeline: "lookUps" | "pages" | null;
  /** Whether the plan's row is cached until something is written. */
  readonly isCached: boolean;
}

const plain = { isFair: false, isCached: false, isSearch: false };

const usual: Readonly<Record<Cost, Way>> = {
  // Not cached: checking the current snapshot would take as long.
  key: { ...plain, pipeline: "lookUps", prepared: "first" },
  index: { ...plain, pipeline: "pages", prepared: "repeated", isCached: true },
  scan: { ...plain, pipeline: null, prepared: "repeated", isFair: true, isCached: true },
  aggregate: { ...plain, pipeline: null, prepared: "never", isFair: true, isCached: true },
};

/** Maximum length of a statement whose row is cached; only conditions with hundreds of parts are longer. */
const maxCachedText = 16 * 1024;

/** Decides how a plan is run. */
export function wayOf(plan: Plan): Way {
  const { text, cost, depends, isVaried, isSearch, until, resource } = plan;
  const way = usual[cost];
  if (cost === "key") return way;
  return {
    pipeline: way.pipeline,
    prepared: isVaried === true ? "never" : way.prepared,
    isSearch: isSearch === true,
    until,
    isFair: way.isFair && resource !== undefined,
    isCached: way.isCached && resource !== undefined && isKept(depends, text),
  };
}

/**
 * Like `wayOf`, but for a pooler in transaction mode: nothing is prepared there, and a lost connection, which would
 * have to clear the cache, may go unnoticed.
 */
export function wayBehindPooler({ cost, isSearch, until, resource }: Plan): Way {
  const isFair = usual[cost].isFair && resource !== undefined;
  return {
    pipeline: null,
    prepared: "never",
    isFair,
    isCached: false,
    isSearch: isSearch === true,
    until,
  };
}

function isKept(depends: Dependence | undefined, { length }: string): boolean {
  return depends !== undefined && depends !== "time" && length <= maxCachedText;
}

/**
 * Whether a plan is fast enough to be sent together with the lookup of its caller, before the caller's access is known.
 * The duration of a slower plan could reveal something.
 */
export function isSentWithCaller({ cost }: Plan): boolean {
  return cost === "key" || cost === "index";
}
