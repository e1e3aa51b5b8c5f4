import type { Session } from "../../../db/index.js";
import type { Services } from "../../../own-code/index.js";
import {
  type AfterHooks,
  hasAppUniques,
  inRowsUnit,
  ownerLinks,
  type ResourceDefinition,
  type RowsPlan,
  type RowsUnit,
  runsNoAppCode,
} from "../../../resource/index.js";
import { moveIds } from "../../session/sequence.js";
import { inTransaction, runAfter } from "../../session/transaction.js";
import { linkColumns } from "../plan.js";
import { runStaged } from "../run.js";
import { oneByOne, type StoreChunk, together } from "../store-chunk.js";
import { togetherByKey } from "../store-keyed.js";
import type { ImportTarget } from "./target.js";

export interface ImportingApp {
  readonly services: Services;
  readonly after: AfterHooks;
  readonly definitions: readonly ResourceDefinition[];
}

/** Imports rows as records of a resource, following a plan. */
export function recordsTarget(app: ImportingApp, plan: RowsPlan): ImportTarget {
  const { services } = app;
  const { by } = plan;
  const { table } = plan.definition;

  /** Whether rows are accepted or refused only by constraints that the descriptors define. */
  async function isDecidedByConstraints(session: Session): Promise<boolean> {
    const actor = { services: { ...services, policies: {}, isTrusted: true }, caller: null };
    const events = by === null ? (["insert"] as const) : (["insert", "update"] as const);
    if (!(await runsNoAppCode(actor, session, { table, events }))) return false;
    return by === null || !(await hasAppUniques(session, table));
  }

  return {
    fields: plan.definition,
    linked: linkColumns(plan),
    async begin(session, columns) {
      const isPlain = await isDecidedByConstraints(session);
      const own = ownerLinks(table);
      const leadsToOwner = own.some((key) => columns.fills(key));
      const storeOf = (unit: RowsUnit): StoreChunk => {
        if (isPlain && by !== null) return togetherByKey(unit, plan, by);
        return isPlain && !leadsToOwner ? together(unit, plan) : oneByOne(unit, plan);
      };
      return {
        within: (work) =>
          inRowsUnit(
            services,
            (inner, onWait) => inTransaction(session, inner, onWait),
            (unit) => work(unit.connection, storeOf(unit)),
          ),
        async runAfter() {
          await moveIds(session, plan.definition);
          await runAfter({ ...app, session });
        },
        ...(isPlain &&
          by === null && { runStaged: (run) => runStaged(run, plan, services.appCode.explain) }),
      };
    },
  };
}
