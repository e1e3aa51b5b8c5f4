import { linkName, readableFields, titleField } from "../api/descriptors.js";
import type { Field, Resource } from "../api/types.js";
import { type Condition, type ListAddress, paramOf, printSort } from "../place/list-address.js";
import { kindOf } from "./kinds.js";

/** The most links whose records are included in one list. */
const maxIncludes = 8;

type Params = readonly (readonly [string, string])[];

/** The conditions as the API takes them: "the last days" begin at a day of the reader's calendar. */
export function conditionParams(
  resource: Resource,
  { q, conditions }: Pick<ListAddress, "q" | "conditions">,
): Params {
  const fields = readableFields(resource);
  const params = new Map<string, string>();
  for (const condition of conditions) {
    const [key, value] = paramWithValue(condition, fields);
    const known = params.get(key);
    // Of two lower bounds the later one counts.
    params.set(key, known !== undefined && known > value ? known : value);
  }
  return [...params, ...(q === "" ? [] : [["q", q] as const])];
}

function paramWithValue(condition: Condition, fields: readonly Field[]): readonly [string, string] {
  const field = fields.find(({ name }) => name === condition.field);
  const since = field === undefined ? null : (kindOf(field).filter?.since ?? null);
  if (condition.operator !== "days" || since === null) return [paramOf(condition), condition.value];
  return [paramOf({ ...condition, operator: "gte" }), since(Number(condition.value))];
}

/** The fields that a list requests for these columns: long texts cut, links with their records' titles. */
export function shownParams(
  resource: Resource,
  resources: readonly Resource[],
  columns: readonly Field[],
  mayNameAccounts: boolean,
): Params {
  const names = [...new Set(columns.flatMap((field) => kindOf(field).asks(field)))];
  const links = columns
    .flatMap((field) => {
      const title = linkTitle(field, resources, mayNameAccounts);
      return title === null ? [] : [[linkName(resource, field), title] as const];
    })
    .slice(0, maxIncludes);
  return [
    ["fields", names.length === 0 ? "id" : names.join(",")],
    ...(links.length === 0 ? [] : [["include", links.map(([name]) => name).join(",")] as const]),
    ...links.map(([name, title]) => [`include[${name}][fields]`, title] as const),
  ];
}

/** The title field of the linked record; null where the caller may not read it, or it has none. */
function linkTitle(
  field: Field,
  resources: readonly Resource[],
  mayNameAccounts: boolean,
): string | null {
  if (field.resource === undefined) return null;
  if (field.resource === "users") return mayNameAccounts ? "name" : null;
  const target = resources.find(({ name }) => name === field.resource);
  // The API refuses the whole list where a policy has to decide about each linked record.
  if (target === undefined || target.can?.get === false || target.can?.get === "maybe") return null;
  return titleField(target)?.name ?? null;
}

export function sortParams({ sort }: Pick<ListAddress, "sort">): Params {
  return sort.length === 0 ? [] : [["sort", printSort(sort)]];
}
