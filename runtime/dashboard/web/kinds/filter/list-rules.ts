import type { Resource } from "../../api/client/types.js";
import { readableFields } from "../../api/records/descriptors.js";
import type { Condition, ListRules } from "../../browser/address/list-address.js";
import { listedValues } from "../../browser/address/listed-values.js";
import { kindOf } from "../kinds.js";

/** The most days that "in the last … days" can cover. */
const maxDays = 3_650;

/** What the address of a resource's list may contain. */
export function rulesOf(resource: Resource): ListRules {
  const fields = new Map(readableFields(resource).map((field) => [field.name, field]));
  return {
    sortsBy: (name) => {
      const field = fields.get(name);
      return field !== undefined && kindOf(field).isSortable;
    },
    accepts: (condition) => {
      const field = fields.get(condition.field);
      const filter = field === undefined ? null : kindOf(field).filter;
      if (field === undefined || filter === null) return false;
      const { operator } = condition;
      return isFit(condition, (value) => filter.accepts(field, value, operator), filter);
    },
  };
}

function isFit(
  { operator, value }: Condition,
  accepts: (value: string) => boolean,
  { operators, since }: { readonly operators: readonly string[]; readonly since: unknown },
): boolean {
  if (operator === "days") {
    return since !== null && /^[1-9]\d{0,3}$/.test(value) && Number(value) <= maxDays;
  }
  if (value === "") return operator === "eq" || operator === "ne";
  if (operator === "day") return operators.includes("day") && accepts(value);
  if (operator === "in" || operator === "nin") {
    const listed = listedValues(value);
    return listed?.every((one) => one === "" || accepts(one)) ?? false;
  }
  if (operator === "eq" || operator === "ne") return accepts(value);
  const isOrdered = operators.includes("gte") || operators.includes("contains");
  const isText = operator === "contains" || operator === "starts" || operator === "ends";
  return isText ? operators.includes(operator) && accepts(value) : isOrdered && accepts(value);
}
