import { sqlTable } from "../../../runtime/values/sql/table-name.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import { pathsOf } from "../../model/condition-path.js";
import type { Model, Resource } from "../../model/model.js";
import type { Layout } from "../../text/layout.js";
import { array, literal, property } from "../../text/typescript.js";

/** The tables that a list's conditions follow links to, for a resource with `changes`. */
export function pathsProperty(
  { access, changes }: Resource,
  { resources }: Model,
): readonly Layout[] {
  const paths = changes === null ? [] : pathsOf(access.list);
  if (paths.length === 0) return [];
  const tables = paths.map(({ table, columns }) =>
    literal({
      resource: resources.find((one) => one.table === table)?.name ?? table,
      table: sqlTable(table),
      columns: columns.map(sqlIdentifier),
    }),
  );
  return [property("paths", array(tables))];
}
