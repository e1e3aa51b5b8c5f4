import { isOperator, takesList } from "../../../../values/operators.js";
import type { Field, Resource } from "../../api/client/types.js";
import type { Params } from "../../api/records/naming.js";
import { listedValues } from "../../browser/address/listed-values.js";
import { filterFields, linkIn } from "./linked-fields.js";

/** Logical operators: a field with one of these names is written with a prefix. */
const joining = ["and", "or", "not"];

type Where = Readonly<Record<string, unknown>>;

/** A condition among a list's parameters. */
interface Compared {
  readonly name: string;
  /** Omitted for equality. */
  readonly operator: string | undefined;
  readonly text: string;
}

/** Converts the conditions in a list's parameters to a JSON `where`; also returns the remaining parameters. */
export function whereOf(
  resource: Resource,
  params: Params,
): { readonly where: Where; readonly rest: Params } {
  const own: Compared[] = [];
  const rest: (readonly [string, string])[] = [];
  let linked: Where = {};
  for (const [key, text] of params) {
    const found = comparedBy(key, text);
    if (found !== null) own.push(found);
    else if (key === "where") linked = JSON.parse(text) as Where;
    else rest.push([key, text]);
  }
  return { where: { ...joined(filterFields(resource), own), ...linked }, rest };
}

/** Moves conditions on fields of linked records to the parameter `where`: the API accepts them only there. */
export function withLinkedWhere(resource: Resource, params: Params): Params {
  const byLink = new Map<string, Compared[]>();
  const own = params.filter(([key, text]) => {
    const found = comparedBy(key, text);
    const link = found === null ? null : linkIn(found.name);
    if (found === null || link === null) return true;
    byLink.set(link[0], [...(byLink.get(link[0]) ?? []), found]);
    return false;
  });
  if (byLink.size === 0) return params;
  const fields = filterFields(resource);
  const where = Object.fromEntries(
    [...byLink].map(([link, conditions]) => [link, joined(fields, conditions)]),
  );
  return [...own, ["where", JSON.stringify(where)]];
}

function comparedBy(key: string, text: string): Compared | null {
  const found = /^filter\[([^[\]]+)\](?:\[([a-zA-Z]+)\])?$/.exec(key);
  return found === null ? null : { name: found[1] ?? "", operator: found[2], text };
}

/** The conditions on the fields of one record, joined by "and". */
function joined(fields: readonly Field[], conditions: readonly Compared[]): Where {
  const where: Record<string, unknown> = {};
  const compared = new Map<string, Record<string, unknown>>();
  const and: object[] = [];
  for (const { name, operator, text } of conditions) {
    const short = linkIn(name)?.[1] ?? name;
    const place = joining.includes(short) ? `field:${short}` : short;
    const field = fields.find((one) => one.name === name);
    const value = valueIn(field, text, operator);
    const known = compared.get(place);
    if (operator !== undefined && known !== undefined) known[operator] = value;
    else {
      const condition = operator === undefined ? value : { [operator]: value };
      // A field can have both an equality and another comparison.
      if (Object.hasOwn(where, place)) and.push({ [place]: condition });
      else where[place] = condition;
      if (operator !== undefined && where[place] === condition) {
        compared.set(place, condition as Record<string, unknown>);
      }
    }
  }
  return and.length === 0 ? where : { ...where, and };
}

function valueIn(field: Field | undefined, text: string, operator: string | undefined): unknown {
  const one = (value: string) => {
    if (value === "") return null;
    if (field?.type === "number") return Number(value);
    return field?.type === "boolean" ? value === "true" : value;
  };
  const isOfList = operator !== undefined && isOperator(operator) && takesList(operator);
  return isOfList ? (listedValues(text) ?? []).map(one) : one(text);
}
