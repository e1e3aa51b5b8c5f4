import { usualId } from "../../../runtime/values/schema/id-types.js";
import { sqlTable } from "../../../runtime/values/sql/table-name.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import { pathsOf } from "../../model/condition-path.js";
import type { Model, Resource } from "../../model/model.js";
import type { Layout } from "../../text/layout.js";
import { array, literal, property } from "../../text/typescript.js";
import { loggedKey } from "./id.js";

/** Returns the tables to which a list's conditions follow links, for a resource with `changes`. */
export function pathsProperty(
  { access, changes }: Resource,
  { resources }: Model,
): readonly Layout[] {
  const paths = changes === null ? [] : pathsOf(access.list);
  if (paths.length === 0) return [];
  const tables = paths.map(({ table, columns }) => {
    const { name, id = usualId } = resources.find((one) => one.table === table) ?? { name: table };
    return literal({
      resource: name,
      table: sqlTable(table),
      columns: columns.map(sqlIdentifier),
      ...loggedKey(id),
    });
  });
  return [property("paths", array(tables))];
}
