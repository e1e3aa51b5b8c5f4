import type { Session } from "../../../db/index.js";
import type { Services } from "../../../own-code/index.js";
import {
  type AfterHooks,
  hasOwnCode,
  hasOwnTriggers,
  inRowsUnit,
  type ResourceDefinition,
  type RowsPlan,
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
      const isPlain = await isDecidedByConstraints(app, plan, session);
      const leadsToOwn = ownLinks(plan).some((key) => columns.columnOf(key) !== null);
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

/** Whether only constraints decide about new records: no hook of the app, no trigger of its own, no key to find them by. */
async function isDecidedByConstraints(
  { services }: ImportingApp,
  { definition: { table }, by }: RowsPlan,
  session: Session,
): Promise<boolean> {
  if (by !== null) return false;
  const actor = { services: { ...services, policies: {}, isTrusted: true }, caller: null };
  if (hasOwnCode(actor, table, "create")) return false;
  return !(await hasOwnTriggers(services.db, session, { table, event: "insert" }));
}

/** The links to the own resource. */
function ownLinks({ definition: { table } }: RowsPlan): readonly string[] {
  return Object.values(table.links ?? {}).flatMap((link) =>
    link.table?.() === table ? [link.field] : [],
  );
}
