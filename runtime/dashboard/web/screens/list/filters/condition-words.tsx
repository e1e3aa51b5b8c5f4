import type { Resource } from "../../../api/client/types.js";
import { labelOf } from "../../../api/records/descriptors.js";
import type { Condition } from "../../../browser/address/list-address.js";
import { filterFields } from "../../../kinds/filter/linked-fields.js";
import { kindOf } from "../../../kinds/kinds.js";
import { enList } from "../../../text/en/list.js";
import { choiceOf, choiceWords } from "./conditions.js";

/** Describes a condition: the field, the comparison, and the value as its kind displays it. */
export function ConditionWords({
  resource,
  condition,
}: {
  readonly resource: Resource;
  readonly condition: Condition;
}) {
  const field = filterFields(resource).find(({ name }) => name === condition.field);
  const filter = field === undefined ? null : kindOf(field).filter;
  if (field === undefined || filter === null) return null;
  const choice = choiceOf(condition);
  const Words = filter.words;
  return (
    <>
      <span className="strong">
        <bdi>{labelOf(field)}</bdi>
      </span>{" "}
      <span className="muted">{choiceWords(field, choice)}</span>{" "}
      {choice === "empty" || choice === "notEmpty" ? null : choice === "days" ? (
        enList.days(Number(condition.value))
      ) : (
        <Words field={field} operator={condition.operator} value={condition.value} />
      )}
    </>
  );
}
