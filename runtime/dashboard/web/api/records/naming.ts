import { enList } from "../../text/en/list.js";
import type { Field, Resource } from "../client/types.js";
import {
  labelOf,
  may,
  ownTitleFields,
  readableFields,
  titleField,
  titleFields,
} from "./descriptors.js";
import { isLink } from "./fields.js";

/** Maximum number of links that name a record without a title; more would not be readable. */
const maxLinks = 2;

/** Maximum number of links and inverses that one request may include. */
export const maxIncludes = 12;

export type Params = readonly (readonly [string, string])[];

/** Adds to each resource the links that name its records if these have no text themselves. */
export function withNaming(resources: readonly Resource[]): readonly Resource[] {
  return resources.map((resource) => {
    const own = titleField(resource);
    const links = titleFields(resource).filter(isLink);
    if (links.length === 0 && own?.required === true) return resource;
    const named = links.length > 0 ? links : resource.fields;
    const naming = named
      .filter(({ readable }) => readable !== false)
      .flatMap(({ link, resource: to }) => {
        const title = titleName(resources, to);
        return link === undefined || title === null ? [] : [{ link, title }];
      })
      .slice(0, links.length > 0 ? links.length : maxLinks);
    return { ...resource, naming };
  });
}

/** Adds to each resource the types of the ids to which its fields link. */
export function withIdTypes(resources: readonly Resource[]): readonly Resource[] {
  const types = new Map(resources.flatMap(({ name, id }) => (id ? [[name, id.type]] : [])));
  if (types.size === 0) return resources;
  return resources.map((resource) => ({
    ...resource,
    fields: resource.fields.map((field) => {
      const idType = types.get(field.resource ?? "");
      return idType === undefined ? field : { ...field, idType };
    }),
  }));
}

/** The fields of an account that conditions can compare. */
const ofAccounts: readonly Field[] = [{ name: "name", type: "string", required: true }];

/** Adds to each resource the fields of linked records by which its list can be filtered. */
export function withLinkedFields(resources: readonly Resource[]): readonly Resource[] {
  return resources.map((resource) => ({
    ...resource,
    linkedFields: readableFields(resource).flatMap((field) => fieldsBehind(field, resources)),
  }));
}

/** Returns the fields of a linked record: `customer.name`, labeled `Customer › Name`. */
function fieldsBehind(field: Field, resources: readonly Resource[]): readonly Field[] {
  const { link, resource: to } = field;
  if (!isLink(field) || link === undefined) return [];
  const target = resources.find(({ name }) => name === to);
  const isOpen = target !== undefined && may(target, "list");
  const behind = to === "users" ? ofAccounts : isOpen ? readableFields(target) : [];
  return behind
    .filter((one) => one.resource === undefined)
    .map((one) => ({
      ...one,
      name: `${link}.${one.name}`,
      label: enList.behind(labelOf(field), labelOf(one)),
    }));
}

/** Returns the fields that name a linked record, for the parameter `fields`; null if there are none. */
export function titleName(resources: readonly Resource[], to: string | undefined): string | null {
  // Accounts are not a resource.
  if (to === "users") return "name";
  const target = resources.find(({ name }) => name === to);
  if (target === undefined) return null;
  const texts = ownTitleFields(target).map(({ name }) => name);
  return texts.length > 0 ? texts.join(",") : (titleField(target)?.name ?? null);
}

/** Returns the parameters that request the names of records, and the values of other fields. */
export function namingParams(
  resource: Resource | undefined,
  others: readonly (Field | null)[] = [],
): Params {
  const title = resource === undefined ? [] : [titleField(resource), ...ownTitleFields(resource)];
  const fields = [...title, ...others].flatMap((field) => (field === null ? [] : [field.name]));
  return [
    ["fields", fields.length === 0 ? "id" : [...new Set(fields)].join(",")],
    ...includeParams(resource?.naming ?? []),
  ];
}

/** An included link; `perPage` applies to several records. */
interface Included {
  readonly link: string;
  readonly title: string;
  readonly perPage?: number;
}

export function includeParams(links: readonly Included[]): Params {
  return links.length === 0
    ? []
    : [
        ["include", links.map(({ link }) => link).join(",")],
        ...links.map(({ link, title }) => [`include[${link}][fields]`, title] as const),
        ...links.flatMap(({ link, perPage }) =>
          perPage === undefined ? [] : [[`include[${link}][perPage]`, String(perPage)] as const],
        ),
      ];
}
