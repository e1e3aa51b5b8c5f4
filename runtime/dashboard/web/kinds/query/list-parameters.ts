import type { Field, Resource } from "../../api/client/types.js";
import { ownTitleFields, readableFields } from "../../api/records/descriptors.js";
import { includeParams, maxIncludes, type Params, titleName } from "../../api/records/naming.js";
import { searchParam } from "../../api/records/words.js";
import {
  type Condition,
  type ListAddress,
  type Operator,
  paramOf,
  printSort,
} from "../../browser/address/list-address.js";
import { filterFields } from "../filter/linked-fields.js";
import { withLinkedWhere } from "../filter/where.js";
import { kindOf } from "../kinds.js";

/** The conditions as the API accepts them: days of the user's calendar become points in time. */
export function conditionParams(
  resource: Resource,
  { q, conditions }: Pick<ListAddress, "q" | "conditions">,
): Params {
  const fields = filterFields(resource);
  const params = new Map<string, string>();
  for (const condition of conditions.flatMap((one) => inMoments(one, fields))) {
    const { operator, value } = condition;
    const key = paramOf(condition);
    const known = params.get(key);
    if (known === undefined || isNarrower(operator, value, known)) params.set(key, value);
  }
  return [
    ...withLinkedWhere(resource, [...params]),
    ...(q === "" ? [] : [[searchParam(resource), q] as const]),
  ];
}

/** The parameter that requests highlighting of matches in the fields that the search covers. */
export function highlightParams(resource: Resource, { q }: Pick<ListAddress, "q">): Params {
  if (q.trim() === "" || searchParam(resource) === "q") return [];
  const names = readableFields(resource).flatMap((field) => {
    const isSearched = Object.hasOwn(resource.search?.fields ?? {}, field.name);
    return isSearched && kindOf(field).isHighlighted ? [field.name] : [];
  });
  return names.length === 0 ? [] : [["highlight", names.join(",")]];
}

function inMoments(condition: Condition, fields: readonly Field[]): readonly Condition[] {
  const { operator, value } = condition;
  const field = fields.find(({ name }) => name === condition.field);
  const filter = field === undefined ? null : kindOf(field).filter;
  const since = filter?.since ?? null;
  const within = filter?.within ?? null;
  if (operator === "days" && since !== null) {
    return [{ ...condition, operator: "gte", value: since(Number(value)) }];
  }
  if (operator !== "day" || within === null) return [condition];
  const [from, before] = within(value);
  return [
    { ...condition, operator: "gte", value: from },
    { ...condition, operator: "lt", value: before },
  ];
}

/** Whether a limit is narrower than another on the same side of a field; only the narrower one is needed. */
export function isNarrower(operator: Operator, value: string, known: string): boolean {
  const [one, other] = [new Date(value), new Date(known)];
  return operator === "lt" || operator === "lte" ? one < other : one > other;
}

/** Maximum number of linked records whose titles a cell of a list of links shows. */
const mostListed = 5;

/** The fields that a list requests for these columns: long texts cut, links with their records' titles. */
export function shownParams(
  resource: Resource,
  resources: readonly Resource[],
  columns: readonly Field[],
): Params {
  const shown = columns.flatMap((field) => kindOf(field).asks(field));
  const names = [...new Set([...shown, ...ownTitleFields(resource).map(({ name }) => name)])];
  const links = columns.flatMap(({ link, resource: to }) => {
    const title = titleName(resources, to);
    return title === null || link === undefined ? [] : [{ link, title }];
  });
  const several = columns.flatMap(({ links: name, resource: to }) => {
    const title = titleName(resources, to);
    return title === null || name === undefined ? [] : [{ link: name, title, perPage: mostListed }];
  });
  const naming = resource.naming ?? [];
  const others = links.filter(({ link }) => !naming.some((one) => one.link === link));
  return [
    ["fields", names.length === 0 ? "id" : names.join(",")],
    ...includeParams([...naming, ...others, ...several].slice(0, maxIncludes)),
  ];
}

export function sortParams({ sort }: Pick<ListAddress, "sort">): Params {
  return sort.length === 0 ? [] : [["sort", printSort(sort)]];
}
