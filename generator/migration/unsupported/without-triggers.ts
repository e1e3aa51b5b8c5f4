import type { Problem } from "../../../runtime/values/problem.js";
import type { Schema } from "../../../runtime/values/schema/schema.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import { isOwnList } from "../../kind/kinds.js";
import { type AdoptedTables, adoptedTables } from "../../model/adopted.js";
import type { Model, Resource } from "../../model/model.js";
import { isSearchingIn } from "../../model/searched.js";
import { loggedTables } from "../../schema/tables/logged.js";
import { issue, problemsOf } from "../problems-of.js";

/** Returns problems with features of resources with `triggers: none` that need triggers on their tables. */
export function withoutTriggers(
  descriptors: readonly Descriptor[],
  model: Model,
  before: Schema,
): readonly Problem[] {
  const uncounted = model.resources.filter(({ isCounted }) => !isCounted);
  if (uncounted.length === 0) return [];
  const names = new Set(uncounted.map(({ name }) => name));
  const adopted = adoptedTables(before);
  const logged = loggedTables(model);
  return problemsOf(descriptors, model, (resource) => {
    const own = names.has(resource.name) ? ownIssues(resource, { adopted, logged }) : [];
    return [...own, ...otherIssues(resource, names)];
  });
}

interface Known {
  readonly adopted: AdoptedTables;
  readonly logged: ReadonlySet<string>;
}

function ownIssues(
  { table, changes, trash, search }: Resource,
  { adopted, logged }: Known,
): readonly DescriptorIssue[] {
  if (!adopted.has(table)) {
    return [issue("triggers", `"triggers: none" is for adopted tables`, "remove it")];
  }
  const parts = Object.entries({ changes, trash, search }).filter(([, part]) => part !== null);
  const isDeciding = changes === null && logged.has(table);
  return [
    ...parts.map(([key]) => issue(key, `"${key}" needs triggers on the table`, leaveOut)),
    ...(isDeciding ? [issue("triggers", deciding, "remove it")] : []),
  ];
}

const deciding = `"triggers: none" is not supported for a table that decides who owns or sees other records with "changes"`;

/** Returns the issues of lists of links to such records, and of full-text search in them. */
function otherIssues(resource: Resource, names: ReadonlySet<string>): readonly DescriptorIssue[] {
  const listing = resource.lists.filter(
    (list) => names.has(list.resource) && isOwnList(resource.fields, list.field),
  );
  const isFar = isSearchingIn(resource, names);
  return [
    ...listing.map(({ field }) => issue(["fields", field], `"${field}" ${listed}`, leaveOut)),
    ...(isFar
      ? [issue("search", `"search" names a field of a table without triggers`, leaveOut)]
      : []),
  ];
}

const listed = "lists records whose table has no triggers";

const leaveOut = "leave it out, or remove triggers: none";
