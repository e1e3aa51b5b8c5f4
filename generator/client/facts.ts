import { type Field, hasEntries, isAggregated, isFile, kindOf } from "../kind/kinds.js";
import { isComputed, type Resource, severalOf } from "../model/model.js";
import { isNeededToCreate, isNeededToReplace } from "../model/needed.js";
import { isHighlighted } from "../model/searched.js";
import { sortedBy } from "../model/sorted.js";
import { type Layout, print } from "../text/layout.js";
import { member, propertyKey, stringLiteral, typeLiteral } from "../text/typescript.js";
import type { Find, Named } from "./named.js";

/** Maximum number of sort names in a type; for each, the compiler adds a second one with a leading dash. */
const maxNamed = 5_000;

/**
 * Returns the members of the interface from which the runtime derives a resource's types; omits those that do not
 * apply.
 */
export function facts({ resource, names }: Named, find: Find): readonly string[] {
  const { links, lists, fields } = resource;
  const typesOf = (name: string) => find(name)?.names.Types ?? "client.PersonTypes";
  const related = (all: ReturnType<typeof severalOf>) =>
    all.map((one) => `${propertyKey(one.name)}: ${typesOf(one.resource)}`);
  // Batches cannot create accounts.
  const references = [...links, ...lists]
    .filter((link) => find(link.resource) !== null)
    .map((link) => `${propertyKey(link.field)}: ${stringLiteral(link.resource)}`);
  const sorts = sortedBy(resource, (name) => find(name)?.resource ?? null);
  return [
    `name: ${stringLiteral(resource.name)};`,
    `record: ${names.Record};`,
    `create: ${names.Create};`,
    `where: ${names.Where};`,
    ...literalFact("links", related(links)),
    ...literalFact("inverses", related(severalOf(resource))),
    ...literalFact("listed", related(lists)),
    ...literalFact("references", references),
    ...fieldFacts(resource).flatMap(([name, of]) => namesFact(name, fields.filter(of))),
    ...(sorts.length > maxNamed ? ["manySorts: true;"] : []),
    ...(resource.changes === null ? [] : ["changes: true;"]),
    ...(resource.trash === null ? [] : ["trash: true;"]),
    ...(resource.search === null ? [] : ["search: true;"]),
  ].map((text) => `  ${text}`);
}

type FieldFact = readonly [name: string, of: (field: Field) => boolean];

function fieldFacts(resource: Resource): readonly FieldFact[] {
  const isToCreate = (field: Field) => isNeededToCreate(resource, field);
  const isToReplace = (field: Field) => isNeededToReplace(resource, field);
  return [
    ["files", isFile],
    ["long", (field) => kindOf(field).isLong],
    ["cut", (field) => kindOf(field).canBeCut],
    ["numbers", (field) => kindOf(field).isAddable && !isComputed(field) && field.list === null],
    ["lists", (field) => field.list !== null || hasEntries(field)],
    ["times", (field) => isAggregated(field, "period")],
    ["groups", (field) => isAggregated(field, "value")],
    ["highlights", (field) => isHighlighted(resource, field)],
    ["groupLists", ({ name }) => resource.lists.some(({ field }) => field === name)],
    ["counted", (field) => kindOf(field).counted(field).length > 0],
    ["createNeeds", (field) => isToCreate(field) && !isToReplace(field)],
    ["replaceNeeds", (field) => isToReplace(field) && !isToCreate(field)],
  ];
}

function namesFact(name: string, fields: readonly Field[]): readonly string[] {
  if (fields.length === 0) return [];
  const types = fields.map((field) => stringLiteral(field.name));
  return [print(member(name, types), { indent: 2 })];
}

function literalFact(name: string, members: readonly Layout[]): readonly string[] {
  if (members.length === 0) return [];
  return [print(member(name, [typeLiteral(members)]), { indent: 2 })];
}
