import { byText } from "./by-text.js";
import type { CallerLookUp, Plan } from "./plan.js";

/** The statement sent for a plan. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * SQL for a text that is equal for two statements only if both see the same rows: PostgreSQL's snapshot, which lists
 * the transactions that have ended. Each writing transaction, in any database of the server, changes it. The start time
 * of the server distinguishes it from a replacement. Empty on a standby, which exposes its snapshots only in part.
 */
export const snapshotSql = `case when pg_is_in_recovery() then ''
      else concat(extract(epoch from pg_postmaster_start_time()), ' ', pg_current_snapshot())
      end`;

const ofCallers = byText<string>();
const withSnapshots = byText<string>();
const ofCallersWithSnapshots = byText<string>();

/** The statement of a plan, joined with the lookup of its caller, so that nothing is read without a caller. */
export function statementOf(plan: Plan): Statement {
  const { text, values, caller } = plan;
  if (caller === undefined) return plan;
  return {
    text: ofCallers(text, () => joined(plan, caller, "")),
    values: [...values, ...caller.values],
  };
}

/** The statement of a plan, which also selects the snapshot of the read as `_snapshot`. */
export function statementWithSnapshot(plan: Plan): Statement {
  const { text, values, caller } = plan;
  if (caller !== undefined) {
    return {
      text: ofCallersWithSnapshots(text, () =>
        joined(plan, caller, `${snapshotSql} as _snapshot,`),
      ),
      values: [...values, ...caller.values],
    };
  }
  const make = () => `select ${snapshotSql} as _snapshot, _answer.* from (${text}) as _answer`;
  return { text: withSnapshots(text, make), values };
}

/** Selects the current snapshot and the plan's caller; no row without that caller. */
export function lookOf({ caller }: Plan): Statement {
  if (caller === undefined) return { text: `select ${snapshotSql} as _snapshot`, values: [] };
  return { text: lookText(caller), values: caller.values };
}

const looks = byText<string>();

function lookText({ sql }: CallerLookUp): string {
  const found = sql(1);
  return looks(
    found,
    () => `select _caller.*, ${snapshotSql} as _snapshot from (${found}) as _caller`,
  );
}

function joined({ text, values }: Plan, caller: CallerLookUp, snapshot: string): string {
  return `
    with _caller as materialized (${caller.sql(values.length + 1)}
    )
    select _caller.*, ${snapshot} _answer.*
    from _caller
    left join lateral (${text}) as _answer on true`;
}
