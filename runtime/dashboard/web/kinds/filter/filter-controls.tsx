import { useId } from "react";
import "../../parts/form/field.css";
import type { Operator } from "../../browser/address/list-address.js";
import { joinValues, listedValues } from "../../browser/address/listed-values.js";
import type { FilterChoiceProps, FilterWordsProps } from "../kind.js";

/** Text that may be truncated in its chip; the tooltip shows all of it. */
export function PlainWords({ value }: Pick<FilterWordsProps, "value">) {
  return <bdi title={value}>{value}</bdi>;
}

/** Keeps the value of kinds for which it means the same with every operator. */
function asItIs(value: string): string {
  return value;
}

export function isOfList(operator: Operator): boolean {
  return ["in", "nin", "all", "hasAny", "hasAll"].includes(operator);
}

/**
 * Converts a value between operators: a single value becomes a list of one, and a list is reduced to its first value.
 */
export function oneOrMany(value: string, to: Operator, from: Operator): string {
  if (value === "" || isOfList(to) === isOfList(from)) return value;
  return isOfList(to) ? joinValues([value]) : (listedValues(value)?.[0] ?? "");
}

interface BrowserInput {
  readonly type: "text" | "date";
  readonly toInput?: (value: string, operator: Operator) => string;
  readonly fromInput?: (typed: string, operator: Operator) => string;
  readonly inputMode?: "text" | "decimal";
}

/** The browser's input, which suits the device's keyboard and calendar. */
export function inputOf({
  type,
  toInput = asItIs,
  fromInput = asItIs,
  inputMode = "text",
}: BrowserInput) {
  return function Input({ label, operator, value, onChange }: FilterChoiceProps) {
    const id = useId();
    return (
      <div className="field">
        <label className="hidden" htmlFor={id}>
          {label}
        </label>
        <input
          className="input"
          id={id}
          type={type}
          inputMode={inputMode}
          maxLength={type === "text" ? 200 : undefined}
          value={toInput(value, operator)}
          onChange={(event) => onChange(fromInput(event.target.value, operator))}
        />
      </div>
    );
  };
}
