import type { Problem } from "../../../runtime/values/problem.js";
import { idForms, isUsualId } from "../../../runtime/values/schema/id-types.js";
import { idColumnOf, type Schema } from "../../../runtime/values/schema/schema.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../../descriptor/source.js";
import { isOwnList, kindOf } from "../../kind/kinds.js";
import type { Model, Resource } from "../../model/model.js";
import type { Renames } from "../../schema/changes/renames/renames.js";
import { formerTable } from "../former-table.js";
import { issue, problemsOf } from "../problems-of.js";

const usual = "needs ids that are UUIDs in a column id";
const leaveOut = "leave it out";

/** Returns problems with features that are not supported yet for ids other than UUIDs in a column `id`. */
export function unusualIds(descriptors: readonly Descriptor[], model: Model): readonly Problem[] {
  const unusual = model.resources.filter(({ id }) => !isUsualId(id));
  if (unusual.length === 0) return [];
  const names = new Set(unusual.map(({ name }) => name));
  return problemsOf(descriptors, model, (resource) => {
    const own = names.has(resource.name) ? ownIssues(resource, model) : [];
    return [...own, ...linkIssues(resource, names)];
  });
}

/** Returns the issues of a resource with such ids. */
function ownIssues(resource: Resource, model: Model): readonly DescriptorIssue[] {
  const { team, from, fields, id, stored } = resource;
  const others = Object.entries({ owner: team, from });
  const listing = fields.filter((field) => kindOf(field).entries(field) !== null);
  const isEmpty = !id.given && id.type !== "uuid" && stored.every(({ readOnly }) => readOnly);
  return [
    ...others.flatMap(([key, part]) =>
      part === null ? [] : issue(key, `"${key}" ${usual}`, leaveOut),
    ),
    ...listing.map(({ name }) =>
      issue(["fields", name], `a list of links or files ${usual}`, leaveOut),
    ),
    ...(isTeamTable(resource, model) ? [issue("id", ofTeams, leaveOut)] : []),
    ...(isEmpty
      ? [issue("id", `"id" needs at least one field that a create can set`, addField)]
      : []),
  ];
}

const ofTeams = `"id" is not supported for memberships, or for the groups to which they belong`;
const addField = "add a field, or write given: true";

/** Returns the issues of lists of links to such records. */
function linkIssues(resource: Resource, names: ReadonlySet<string>): readonly DescriptorIssue[] {
  const { lists, fields } = resource;
  const listing = lists.filter((list) => names.has(list.resource) && isOwnList(fields, list.field));
  return listing.map(({ field }) => issue(["fields", field], `"${field}" ${listed}`, linkToOne));
}

const listed = "lists records whose ids are not UUIDs in a column id";
const linkToOne = "link to one record with belongsTo";

/** Whether the table contains memberships, or the groups that they belong to. */
function isTeamTable({ name, table }: Resource, { resources }: Model): boolean {
  return resources.some(
    ({ team, owner }) =>
      team !== null && (team.through === name || owner?.at(-1)?.target === table),
  );
}

/** Returns a problem for each table whose ids would change. */
export function changedIds(
  descriptors: readonly Descriptor[],
  before: Schema,
  renames: Renames,
): readonly Problem[] {
  return descriptors.flatMap(({ name, source, id }) => {
    const former = formerTable(before, renames, name);
    if (former === undefined) return [];
    const stored = idColumnOf(former);
    const isSame = stored.name === id.column && (stored.id !== undefined || isUsualId(id));
    const isSameType = stored.type === idForms[id.type].sqlType || stored.id !== undefined;
    if (isSame && isSameType) return [];
    const isUsual = stored.id === undefined;
    return [
      problemOf(source, {
        path: ["id"],
        at: "key",
        message: `"id" cannot change: the table's id column is ${stored.name}`,
        hint: isUsual ? "remove it" : `write id: { column: ${stored.name}, type: … }`,
      }),
    ];
  });
}
