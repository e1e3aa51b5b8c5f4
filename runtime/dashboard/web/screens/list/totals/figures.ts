import type { Field, Resource } from "../../../api/client/types.js";
import { includeParams, type Params, titleName } from "../../../api/records/naming.js";
import type { Group } from "../../../api/records/numbers.js";
import {
  type ListAddress,
  printParams,
  type Total,
} from "../../../browser/address/list-address.js";
import { decimalsOf, isQuantity } from "../../../charts/choices.js";
import { type GroupChoice, groupChoices } from "../../../kinds/query/list-groups.js";
import { conditionParams } from "../../../kinds/query/list-parameters.js";
import { zone } from "../../../text/dates.js";
import { decimal } from "../../../text/figures.js";
import type { Columns } from "../rows/columns.js";

/** Maximum number of groups shown. */
export const mostGroups = 200;

/** The displayed columns with quantities, which can be totaled. */
export function totalledIn({ title, rest }: Columns): readonly Field[] {
  return [title, ...rest].filter(isQuantity);
}

/** The query for one total of each column, over all records that the list finds. */
export function totalsQuery(
  resource: Resource,
  listing: ListAddress,
  { total, fields }: { readonly total: Total; readonly fields: readonly Field[] },
): string {
  return printParams([...conditionParams(resource, listing), ...measures(total, fields)]);
}

/**
 * The query for groups: times newest first, other values by number of records, largest first. With two levels, the
 * first determines the order.
 */
export function groupsQuery(
  resource: Resource,
  listing: ListAddress,
  {
    total,
    fields,
    resources,
  }: {
    readonly total: Total;
    readonly fields: readonly Field[];
    readonly resources: readonly Resource[];
  },
): string {
  const groups = groupsIn(resource, listing);
  const [first, second] = groups;
  const links = groups.flatMap(({ field: { link, resource: to } }) => {
    const title = titleName(resources, to);
    return link === undefined || title === null ? [] : [{ link, title }];
  });
  const sort = first?.unit === null ? "-count" : `-${first?.field.name}`;
  return printParams([
    ...conditionParams(resource, listing),
    ...measures(total, fields),
    ["by", groups.map(({ key }) => key).join(",")],
    ...(second === undefined ? [["sort", sort] as const] : []),
    ...includeParams(links),
    ["timezone", zone()],
    ["perPage", String(mostGroups)],
  ]);
}

/** The grouping in the address. */
export function groupsIn(resource: Resource, { by }: ListAddress): readonly GroupChoice[] {
  const choices = groupChoices(resource);
  return by.flatMap((key) => choices.find((one) => one.key === key) ?? []);
}

function measures(total: Total, fields: readonly Field[]): Params {
  return fields.length === 0 ? [] : [[total, fields.map(({ name }) => name).join(",")]];
}

/** Formats a total; null if no record has a value. */
export function totalText(
  resource: Resource,
  group: Group,
  { total, field }: { readonly total: Total; readonly field: Field },
): string | null {
  const value = group[total]?.[field.name] ?? null;
  const kind = total === "avg" ? "avg" : "sum";
  return value === null ? null : decimal(value, decimalsOf(resource, { kind, field: field.name }));
}
