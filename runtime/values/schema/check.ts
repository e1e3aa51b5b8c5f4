import { sqlList, sqlLiteral } from "../sql/text.js";

/** A rule that every value of a column satisfies; null always does. */
export type Check =
  | ValueCheck
  | {
      readonly rule: "list";
      /** Minimum and, below it, maximum number of elements. */
      readonly least: number;
      readonly most: number;
      /** Whether elements must be unique. */
      readonly distinct: boolean;
      readonly element: ValueCheck | null;
    };

/** A rule for a column's values, or for the elements of its lists. */
export type ValueCheck =
  | {
      readonly rule: "length";
      /** Both limits are numbers of code points. */
      readonly least: number;
      readonly most: number;
    }
  | { readonly rule: "range"; readonly lower: Bound | null; readonly upper: Bound | null }
  | {
      readonly rule: "values";
      /** Sorted, because the order of declaration does not matter for the table. */
      readonly values: readonly string[];
    };

export interface Bound {
  readonly operator: ">=" | ">" | "<=" | "<" | "<>";
  /** SQL */
  readonly value: string;
}

/** A check that a value is between two values, given as SQL, inclusive. */
export function between(least: string, most: string): Check {
  return {
    rule: "range",
    lower: { operator: ">=", value: least },
    upper: { operator: "<=", value: most },
  };
}

/** The check as an SQL condition on `value`, which is given as SQL. */
export function checkCondition(value: string, check: Check): string {
  switch (check.rule) {
    case "length": {
      const { least, most } = check;
      const length = `char_length(${value})`;
      return least === 0 ? `${length} <= ${most}` : `${length} between ${least} and ${most}`;
    }
    case "range":
      return rangeCondition(value, check.lower, check.upper);
    case "values":
      return `${value} in (${check.values.map(sqlLiteral).join(", ")})`;
    case "list": {
      const { least, most, distinct, element } = check;
      return [
        `service.is_list(${value}, ${least}, ${most})`,
        ...(distinct ? [`service.is_distinct(${value})`] : []),
        ...(element === null ? [] : [elementsCondition(value, element)]),
      ].join(" and ");
    }
    default:
      return check satisfies never;
  }
}

/** The condition that all elements of a list satisfy the check. */
function elementsCondition(list: string, check: ValueCheck): string {
  switch (check.rule) {
    case "length":
      return `service.has_lengths(${list}, ${check.least}, ${check.most})`;
    case "range":
      return [check.lower, check.upper]
        .flatMap((bound) =>
          bound === null ? [] : [`${bound.value} ${flipped[bound.operator]} all (${list})`],
        )
        .join(" and ");
    case "values":
      return `${list} <@ ${sqlList(check.values)}`;
    default:
      return check satisfies never;
  }
}

/** Each operator with its operands exchanged. */
const flipped = { ">=": "<=", ">": "<", "<=": ">=", "<": ">", "<>": "<>" } as const;

function rangeCondition(value: string, lower: Bound | null, upper: Bound | null): string {
  if (lower?.operator === ">=" && upper?.operator === "<=") {
    return `${value} between ${lower.value} and ${upper.value}`;
  }
  return [lower, upper]
    .flatMap((bound) => (bound === null ? [] : [`${value} ${bound.operator} ${bound.value}`]))
    .join(" and ");
}

/** Whether a value that satisfies `from` may violate `to`. */
export function isNarrower(from: Check | null, to: Check | null): boolean {
  if (to === null) return false;
  if (from?.rule === "length" && to.rule === "length") {
    return to.least > from.least || to.most < from.most;
  }
  if (from?.rule === "values" && to.rule === "values") {
    return from.values.some((value) => !to.values.includes(value));
  }
  if (from?.rule === "list" && to.rule === "list") {
    const isLess = to.least > from.least || to.most < from.most;
    return isLess || (to.distinct && !from.distinct) || isNarrower(from.element, to.element);
  }
  if (from?.rule === "range" && to.rule === "range") {
    return limit(to.lower, -1) > limit(from.lower, -1) || limit(to.upper, 1) < limit(from.upper, 1);
  }
  if (from?.rule === "values" && to.rule === "length") {
    return from.values.map((value) => [...value].length).some((n) => n < to.least || n > to.most);
  }
  return true;
}

/** A bound as a number; infinite if it only excludes infinity and NaN. */
function limit(bound: Bound | null, sign: 1 | -1): number {
  const value = Number(bound?.value);
  return Number.isFinite(value) ? value : sign * Number.POSITIVE_INFINITY;
}
