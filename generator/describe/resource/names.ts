import type { Model, Resource } from "../../model/model.js";

/** The parts of a resource that have names in `openapi.json` and the client. */
const parts = [
  "Types",
  "Create",
  "Replace",
  "Update",
  "Part",
  "Brief",
  "Where",
  "Field",
  "Sort",
  "Include",
  "Links",
  "Key",
  "Shown",
  "List",
  "Get",
  "Stats",
  "Aggregate",
  "Group",
  "GroupField",
  "Sum",
  "Bound",
  "Page",
  "Query",
  "Batch",
  "Api",
] as const;

type Part = (typeof parts)[number];

/** Names of a resource's types: `Product`, `ProductCreate`, … */
export type DescribedNames = { readonly [Name in Part | "Record"]: string };

/**
 * Returns unique type names for all resources. A record's type keeps the resource's name. Any other name gets a
 * trailing `_` if a resource or every document uses it.
 */
export function describedNames(
  { resources }: Model,
  reserved: Iterable<string>,
): ReadonlyMap<Resource, DescribedNames> {
  const taken = new Set(reserved);
  const free = (name: string): string => {
    if (taken.has(name)) return free(`${name}_`);
    taken.add(name);
    return name;
  };
  const records = resources.map(({ type }) => free(type));
  return new Map(
    resources.map((resource, at) => {
      const named = parts.map((part) => [part, free(resource.type + part)] as const);
      return [resource, { Record: records[at] ?? "", ...fromParts(named) }];
    }),
  );
}

function fromParts(named: readonly (readonly [Part, string])[]): { [Name in Part]: string } {
  return Object.fromEntries(named) as { [Name in Part]: string };
}
