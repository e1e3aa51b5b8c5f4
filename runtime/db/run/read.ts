import type { RequestState } from "../../request/index.js";
import type { Pipeline } from "../pipeline/pipeline.js";
import type { Pool } from "../pool/pool.js";
import { lookOf, type Statement, statementOf, statementWithSnapshot } from "../statement/joined.js";
import type { Plan, Unread } from "../statement/plan.js";
import type { Origin, Runner } from "../statement/view.js";
import type { RowCache } from "./row-cache.js";
import { isSentWithCaller, type Way, wayBehindPooler, wayOf } from "./way.js";

export type RunPlan = Runner["read"];

export interface Runners {
  readonly pool: Pool;
  /** Omitted behind a pooler in transaction mode. */
  readonly direct?: {
    readonly lookUps: Pipeline;
    readonly pages: Pipeline;
    readonly cache: RowCache;
  };
}

interface Seen {
  readonly _snapshot: string;
}

/** One run of a plan. */
interface Run {
  readonly plan: Plan;
  readonly way: Way;
  readonly request: RequestState | null;
}

/** Returns a function that runs plans as decided by `wayOf` or, behind a pooler, by `wayBehindPooler`. */
export function planRunner({ pool, direct }: Runners): RunPlan {
  const wayFor = direct === undefined ? wayBehindPooler : wayOf;
  return <Row>(given: Plan, { request, resource }: Origin) => {
    const plan = resource === undefined ? given : { ...given, resource };
    const way = wayFor(plan);
    const run = { plan, way, request };
    if (plan.caller !== undefined && !isSentWithCaller(plan)) return lookedUp<Row>(run);
    return way.isCached && direct !== undefined
      ? throughCache<Row>(direct.cache, run)
      : send<Row>(statementOf(plan), run);
  };

  /** Looks up the caller of a plan that is sent afterwards; also returns the plan's row if it is cached. */
  async function lookedUp<Row>(run: Run): Promise<readonly Row[]> {
    const { plan, way } = run;
    const cached = way.isCached && direct !== undefined ? direct.cache.find(plan) : null;
    const [seen] = await send<Seen>(lookOf(plan), { ...run, way: wayFor(look) });
    if (seen === undefined) return [];
    const isCurrent = cached !== null && direct?.cache.isCurrent(cached, seen._snapshot) === true;
    return [{ ...(isCurrent ? cached : unread), ...seen } as Row];
  }

  async function send<Row>(
    statement: Statement,
    { plan, way, request }: Run,
  ): Promise<readonly Row[]> {
    const { text, values } = statement;
    const { pipeline } = way;
    if (direct !== undefined && pipeline !== null) {
      const rows = await direct[pipeline].read<Row>(text, values, request);
      if (rows !== null) return rows;
    }
    return pool.read<Row>(statement, way, { resource: plan.resource, request });
  }

  /**
   * Reads a row, from the cache if a check of the snapshot shows that nothing has been written since. Otherwise the
   * check was wasted, which happens once per cached row.
   */
  async function throughCache<Row>(cache: RowCache, run: Run): Promise<readonly Row[]> {
    const { plan } = run;
    const cached = cache.find(plan);
    if (cached !== null) {
      const [seen] = await send<Seen>(lookOf(plan), { ...run, way: wayFor(look) });
      if (seen === undefined) return [];
      if (cache.isCurrent(cached, seen._snapshot)) return [{ ...cached, ...seen } as Row];
    }
    const rows = await send<Row & Seen>(statementWithSnapshot(plan), run);
    const [row, ...others] = rows;
    if (row !== undefined && others.length === 0) cache.add(plan, row);
    return rows;
  }
}

const look: Plan = { text: "", values: [], cost: "key" };

const unread: Unread = { _isUnread: true };
