import { isUsualId } from "../../runtime/values/schema/id-types.js";
import { timeNames } from "../../runtime/values/schema/record-times.js";
import { sqlTable } from "../../runtime/values/sql/table-name.js";
import { isSorted, kindOf } from "../kind/kinds.js";
import { storedIn } from "../model/adopted.js";
import { zoneOf } from "../model/column-sql.js";
import {
  type Inverse,
  isComputed,
  type LinkName,
  type Model,
  type Resource,
} from "../model/model.js";
import { isUsual } from "../model/times.js";
import { jsonFile } from "../text/json.js";
import type { Literal } from "../text/typescript.js";
import { holdsAccounts } from "./accounts.js";
import { deletedAccount, deletionValues } from "./deletion.js";
import type { EmittedFile } from "./file.js";
import { columnLiteral, timeLiteral } from "./table/column.js";
import { idLiteral } from "./table/id.js";
import { accountMemberships } from "./table/owner.js";
import { tallySql } from "./table/tally.js";

/**
 * Emits `tables.json`: where records are stored, for commands that run without the app. It is separate from
 * `descriptors.json`, which clients read.
 */
export function emitTables(model: Model): EmittedFile {
  const { resources } = model;
  const content: Literal = {
    resources: resources.map((resource) => storedResource(resource, model)),
    ...(holdsAccounts(model) && {
      accounts: {
        ...deletionValues(deletedAccount(model)),
        memberships: accountMemberships(model),
      },
    }),
  };
  return { path: "generated/tables.json", text: jsonFile(content) };
}

/** Returns the tables and columns of a resource; their names are quoted for SQL, as in `table.ts`. */
function storedResource(resource: Resource, model: Model): Literal {
  const { name, source, table, fields, links, lists, inverses, times, zones, id } = resource;
  const stored = storedIn(model, resource);
  return {
    name,
    source,
    table: sqlTable(table),
    tally: tallySql(resource),
    ...(model.adopted?.has(table) && { adopted: true }),
    ...(!isUsualId(id) && { id: idLiteral(id) }),
    columns: Object.fromEntries(
      fields.map((field) => [field.name, columnLiteral(field, fields, stored.get(field.column))]),
    ),
    ...((!isUsual(times) || zones.createdAt !== null || zones.updatedAt !== null) && {
      times: Object.fromEntries(
        timeNames.map((time) => [
          time,
          timeLiteral(times[time], zones[time], stored.get(times[time] ?? "")),
        ]),
      ),
    }),
    // Fields by which `indexes` cannot sort lists.
    unordered: fields
      .filter(
        (field) =>
          !isSorted(field) ||
          !kindOf(field).isSortedAsStored ||
          isComputed(field) ||
          zoneOf(field) !== null,
      )
      .map((field) => field.name),
    links: relations([...links, ...lists]),
    inverses: relations(inverses),
  };
}

function relations(related: readonly (LinkName | Inverse)[]): Literal {
  return Object.fromEntries(
    related.map(({ name, field, resource }) => [name, { field, resource }]),
  );
}
