import { isOperator, takesList } from "../../../../values/operators.js";
import type { Field, Resource } from "../../api/client/types.js";
import { readableFields } from "../../api/records/descriptors.js";
import type { Params } from "../../api/records/naming.js";
import { listedValues } from "../../browser/address/listed-values.js";

/** Joining words: a field with such a name is written with a prefix. */
const joining = ["and", "or", "not"];

/** The conditions among a list's parameters as a JSON `where`, and the other parameters. */
export function whereOf(
  resource: Resource,
  params: Params,
): { readonly where: Readonly<Record<string, unknown>>; readonly rest: Params } {
  const fields = readableFields(resource);
  const where: Record<string, unknown> = {};
  const compared = new Map<string, Record<string, unknown>>();
  const and: object[] = [];
  const rest: (readonly [string, string])[] = [];
  for (const [key, text] of params) {
    const found = /^filter\[([^[\]]+)\](?:\[([a-zA-Z]+)\])?$/.exec(key);
    if (found === null) {
      rest.push([key, text]);
      continue;
    }
    const [, name = "", operator] = found;
    const place = joining.includes(name) ? `field:${name}` : name;
    const value = valueIn(
      fields.find((one) => one.name === name),
      text,
      operator,
    );
    const known = compared.get(place);
    if (operator !== undefined && known !== undefined) known[operator] = value;
    else {
      const condition = operator === undefined ? value : { [operator]: value };
      // A field with an equality and another comparison.
      if (Object.hasOwn(where, place)) and.push({ [place]: condition });
      else where[place] = condition;
      if (operator !== undefined && where[place] === condition) {
        compared.set(place, condition as Record<string, unknown>);
      }
    }
  }
  return { where: and.length === 0 ? where : { ...where, and }, rest };
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
