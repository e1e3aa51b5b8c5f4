import type { Services } from "../../../own-code/index.js";
import {
  type AfterHooks,
  inRowsUnit,
  ownLinks,
  type ResourceDefinition,
  type RowsPlan,
  runsNothingOwn,
} from "../../../resource/index.js";
import { inTransaction, runAfter } from "../../session/transaction.js";
import { linkColumns } from "../plan.js";
import { runStaged } from "../run.js";
import { oneByOne, together } from "../store-chunk.js";
import type { ImportTarget } from "./target.js";

/** The app that imports. */
export interface ImportingApp {
  readonly services: Services;
  readonly after: AfterHooks;
  readonly definitions: readonly ResourceDefinition[];
}

/** Rows that become records of a resource, as a plan says. */
export function recordsTarget(app: ImportingApp, plan: RowsPlan): ImportTarget {
  const { services } = app;
  return {
    fields: plan.definition,
    linked: linkColumns(plan),
    async begin(session, columns) {
      const { table } = plan.definition;
      const actor = { services: { ...services, policies: {}, isTrusted: true }, caller: null };
      const isPlain =
        plan.by === null && (await runsNothingOwn(actor, session, { table, events: ["insert"] }));
      const leadsToOwn = ownLinks(table).some((key) => columns.columnOf(key) !== null);
      return {
        within: (work) =>
          inRowsUnit(
            services,
            (inner) => inTransaction(session, inner),
            (unit) => {
              const store = isPlain && !leadsToOwn ? together(unit, plan) : oneByOne(unit, plan);
              return work(unit.connection, store);
            },
          ),
        runAfter: () => runAfter({ ...app, session }),
        ...(isPlain && { runStaged: (run) => runStaged(run, plan) }),
      };
    },
  };
}
