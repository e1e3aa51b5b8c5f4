import type { Problem } from "../../runtime/values/problem.js";
import type { Schema } from "../../runtime/values/schema/schema.js";
import { placeOfTable } from "../../runtime/values/sql/table-name.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../descriptor/source.js";
import type { Model, Resource } from "../model/model.js";
import { isSearchingIn } from "../model/searched.js";

/** What resources whose tables are in another schema than `public` cannot have: only adopted tables are. */
export function otherSchemas(
  descriptors: readonly Descriptor[],
  model: Model,
  before: Schema,
): readonly Problem[] {
  const others = new Set(model.resources.filter(isElsewhere).map(({ name }) => name));
  if (others.size === 0) return [];
  const known = new Set(before.tables.map(({ name }) => name));
  return model.resources.flatMap((resource) => {
    const source = descriptors.find(({ name }) => name === resource.name)?.source;
    if (source === undefined) return [];
    const own = others.has(resource.name) ? ownIssues(resource, known) : [];
    return [...own, ...searchIssues(resource, others)].map((issue) => problemOf(source, issue));
  });
}

function isElsewhere({ table }: Resource): boolean {
  return placeOfTable(table).schema !== "public";
}

function ownIssues(
  { table, trash, search }: Resource,
  known: ReadonlySet<string>,
): readonly DescriptorIssue[] {
  const { schema } = placeOfTable(table);
  if (!known.has(table)) {
    const message = `migrations create tables in the schema public, and ${table} was not adopted`;
    const hint = `remove this descriptor and run: npx service adopt --schema ${schema}`;
    return [{ path: ["table"], at: "key", message, hint }];
  }
  const parts = Object.entries({ trash, search }).filter(([, part]) => part !== null);
  return parts.map(([key]) => issue(key, `"${key}" needs a table in the schema public`));
}

function searchIssues(resource: Resource, others: ReadonlySet<string>): readonly DescriptorIssue[] {
  if (!isSearchingIn(resource, others)) return [];
  return [issue("search", `"search" names a field of records in another schema`)];
}

function issue(key: string, message: string): DescriptorIssue {
  return { path: [key], at: "key", message, hint: "leave it out" };
}
