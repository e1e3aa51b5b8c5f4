import type { Field, Resource } from "../client/types.js";
import { titleField } from "./descriptors.js";

/** The most links that name a record: more are no name. */
const maxLinks = 2;

export type Params = readonly (readonly [string, string])[];

/** The resources, each with the links that name its records where they have no text of their own. */
export function withNaming(resources: readonly Resource[]): readonly Resource[] {
  return resources.map((resource) => {
    const own = titleField(resource);
    if (own?.required === true) return resource;
    const naming = resource.fields
      .filter(({ readable }) => readable !== false)
      .flatMap(({ link, resource: to }) => {
        const title = titleName(resources, to);
        return link === undefined || title === null ? [] : [{ link, title }];
      })
      .slice(0, maxLinks);
    return { ...resource, naming };
  });
}

/** The field that names a record which a link leads to; null where it has none. */
export function titleName(resources: readonly Resource[], to: string | undefined): string | null {
  // Accounts are no resource.
  if (to === "users") return "name";
  const target = resources.find(({ name }) => name === to);
  return target === undefined ? null : (titleField(target)?.name ?? null);
}

/** What a query asks for to name records, with the values of other fields. */
export function namingParams(
  resource: Resource | undefined,
  others: readonly (Field | null)[] = [],
): Params {
  const title = resource === undefined ? null : titleField(resource);
  const fields = [title, ...others].flatMap((field) => (field === null ? [] : [field.name]));
  return [
    ["fields", fields.length === 0 ? "id" : [...new Set(fields)].join(",")],
    ...includeParams(resource?.naming ?? []),
  ];
}

/** The parameters that include these links with their titles. */
export function includeParams(links: NonNullable<Resource["naming"]>): Params {
  return links.length === 0
    ? []
    : [
        ["include", links.map(({ link }) => link).join(",")],
        ...links.map(({ link, title }) => [`include[${link}][fields]`, title] as const),
      ];
}
