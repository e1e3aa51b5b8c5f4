import type { Problem } from "../../../runtime/values/problem.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import { isOwnList } from "../../kind/kinds.js";
import type { Model, Resource } from "../../model/model.js";
import { issue, problemsOf } from "../problems-of.js";

/**
 * Returns problems with features that resources with links in an adopted join table cannot have: histories and trashes
 * store only rows of the app.
 */
export function joinedLists(descriptors: readonly Descriptor[], model: Model): readonly Problem[] {
  return problemsOf(descriptors, model, (resource) => issuesOf(resource, model));
}

function issuesOf(resource: Resource, { resources }: Model): readonly DescriptorIssue[] {
  const { name, changes, trash } = resource;
  const own = joinedIn(resource)[0];
  const others = resources.flatMap((other) =>
    joinedIn(other)
      .filter((list) => list.resource === name)
      .map(({ field }) => `"${field}" of ${other.name}`),
  );
  const list = own === undefined ? others[0] : `"${own.field}"`;
  return [
    ...(changes !== null && own !== undefined ? [withList("changes", `"${own.field}"`)] : []),
    ...(trash !== null && list !== undefined ? [withList("trash", list)] : []),
  ];
}

function joinedIn({ lists, fields }: Resource): Resource["lists"] {
  return lists.filter(({ field }) => !isOwnList(fields, field));
}

function withList(key: string, list: string): DescriptorIssue {
  const message = `"${key}" is not supported with ${list}, whose links are in a table of another program`;
  return issue(key, message, "leave it out, or remove the list");
}
