import type { Field } from "../../../api/client/types.js";
import { type Condition, isSame } from "../../../browser/address/list-address.js";
import { linkIn } from "../../../kinds/filter/linked-fields.js";
import { kindOf } from "../../../kinds/kinds.js";
import type { GroupChoice } from "../../../kinds/query/list-groups.js";
import { isNarrower } from "../../../kinds/query/list-parameters.js";
import { dayAfter, type PeriodUnit, periodAfter } from "../../../text/dates.js";

type Grouping = Pick<GroupChoice, "field" | "unit">;

/** Narrows the conditions of a list to the records of a day. */
export function narrowedToDay(
  conditions: readonly Condition[],
  field: Field,
  day: string,
): readonly Condition[] {
  return narrowedTo(conditions, [{ choice: { field, unit: "day" }, value: day }]) ?? conditions;
}

/**
 * Narrows the conditions of a list to the records of a group. Null for an empty value of a linked record's field: the
 * link itself may be empty, which no condition can express.
 */
export function narrowedTo(
  conditions: readonly Condition[],
  groups: readonly { readonly choice: Grouping; readonly value: string | boolean | null }[],
): readonly Condition[] | null {
  let narrowed = conditions;
  for (const { choice, value } of groups) {
    const added = conditionsOf(choice, value);
    if (added === null) return null;
    for (const one of added) narrowed = withNarrower(narrowed, one);
  }
  return narrowed;
}

function conditionsOf(
  { field, unit }: Grouping,
  value: string | boolean | null,
): readonly Condition[] | null {
  const { name } = field;
  if (value === null) {
    return linkIn(name) === null ? [{ field: name, operator: "eq", value: "" }] : null;
  }
  if (unit === null) return [{ field: name, operator: "eq", value: String(value) }];
  return periodOf(field.name, String(value), {
    unit,
    within: kindOf(field).filter?.within ?? null,
  });
}

/** The conditions for a calendar unit: days for dates, points in time in the user's time zone for times. */
function periodOf(
  field: string,
  from: string,
  {
    unit,
    within,
  }: {
    readonly unit: PeriodUnit;
    readonly within: ((day: string) => readonly [from: string, before: string]) | null;
  },
): readonly Condition[] {
  if (unit === "day") return [{ field, operator: within === null ? "eq" : "day", value: from }];
  const next = periodAfter(from, unit);
  if (within === null) {
    return [
      { field, operator: "gte", value: from },
      { field, operator: "lte", value: dayAfter(next, -1) },
    ];
  }
  return [
    { field, operator: "gte", value: within(from)[0] },
    { field, operator: "lt", value: within(next)[0] },
  ];
}

/** Keeps a limit of the list if it is narrower than that of the group. */
function withNarrower(conditions: readonly Condition[], next: Condition): readonly Condition[] {
  const known = conditions.find((one) => isSame(one, next));
  if (known === undefined) return [...conditions, next];
  const isBound = ["gte", "lt", "lte"].includes(next.operator);
  const isKept = isBound && isNarrower(next.operator, known.value, next.value);
  return isKept ? conditions : conditions.map((former) => (former === known ? next : former));
}
