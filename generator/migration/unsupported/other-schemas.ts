import type { Problem } from "../../../runtime/values/problem.js";
import type { Schema } from "../../../runtime/values/schema/schema.js";
import { placeOfTable } from "../../../runtime/values/sql/table-name.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import type { Model, Resource } from "../../model/model.js";
import { trashPath } from "../../schema/tables/trash-path.js";
import { issue, problemsOf } from "../problems-of.js";

/** Returns problems with resources whose tables are in a schema other than `public`; only adopted tables can be. */
export function otherSchemas(
  descriptors: readonly Descriptor[],
  model: Model,
  before: Schema,
): readonly Problem[] {
  const others = new Set(model.resources.filter(isElsewhere).map(({ name }) => name));
  if (others.size === 0) return [];
  const known = new Set(before.tables.map(({ name }) => name));
  return problemsOf(descriptors, model, (resource) => {
    const own = others.has(resource.name) ? ownIssues(resource, known) : [];
    const path = trashPath(resource, model).filter(({ name }) => others.has(name));
    return [...own, ...path.map(pathIssue)];
  });
}

function isElsewhere({ table }: Resource): boolean {
  return placeOfTable(table).schema !== "public";
}

function ownIssues({ table }: Resource, known: ReadonlySet<string>): readonly DescriptorIssue[] {
  if (known.has(table)) return [];
  const { schema } = placeOfTable(table);
  const message = `migrations create tables in the schema public, and ${table} was not adopted`;
  const hint = `remove this descriptor and run: npx service adopt --schema ${schema}`;
  return [issue("table", message, hint)];
}

/**
 * Returns the issue of a trash whose records are visible through a table in another schema. Statements on deleted
 * records substitute live and deleted rows only for tables in `public`.
 */
function pathIssue({ name }: Resource): DescriptorIssue {
  const message = `"trash" is not supported while "${name}" has a trash in another schema and decides who sees the records`;
  return issue("trash", message, `leave it out here or in ${name}`);
}
