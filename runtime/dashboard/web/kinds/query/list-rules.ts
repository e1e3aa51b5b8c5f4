import { operatorProblem, takesList } from "../../../../values/operators.js";
import type { Field, Resource } from "../../api/client/types.js";
import { readableFields } from "../../api/records/descriptors.js";
import type { Condition, ListRules } from "../../browser/address/list-address.js";
import { listedValues } from "../../browser/address/listed-values.js";
import { filterFields } from "../filter/linked-fields.js";
import type { Filter } from "../kind.js";
import { kindOf } from "../kinds.js";
import { groupChoices } from "./list-groups.js";

/** Maximum number of days in "in the last … days". */
const maxDays = 3_650;

/** What the address of a resource's list may contain. */
export function rulesOf(resource: Resource): ListRules {
  const own = new Map(readableFields(resource).map((field) => [field.name, field]));
  const groups = new Set(groupChoices(resource).map(({ key }) => key));
  const all = new Map(filterFields(resource).map((field) => [field.name, field]));
  return {
    sortsBy: (name) => {
      const field = own.get(name);
      return field !== undefined && kindOf(field).isSortable;
    },
    groupsBy: (key) => groups.has(key),
    shows: ({ as, field }) => {
      const one = own.get(field);
      if (one === undefined) return false;
      const { grouping, picture } = kindOf(one);
      return as === "gallery" ? picture !== null : grouping === "days" || grouping === "moments";
    },
    accepts: (condition) => {
      const field = all.get(condition.field);
      const filter = field === undefined ? null : kindOf(field).filter;
      if (field === undefined || filter === null) return false;
      return isFit(condition, field, filter);
    },
  };
}

function isFit({ operator, value }: Condition, field: Field, filter: Filter): boolean {
  const accepts = (one: string) => filter.accepts(field, one, operator);
  if (operator === "days") {
    return filter.since !== null && /^[1-9]\d{0,3}$/.test(value) && Number(value) <= maxDays;
  }
  if (value === "") return operator === "eq" || operator === "ne";
  if (operator === "day") return filter.within !== null && accepts(value);
  if (operator === "eq") return accepts(value);
  if (operatorProblem(filter.comparisons, operator) !== null) return false;
  if (!takesList(operator)) return accepts(value);
  return listedValues(value)?.every((one) => one === "" || accepts(one)) ?? false;
}
