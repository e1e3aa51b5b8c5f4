import { useId } from "react";
import "../parts/field.css";
import type { FilterChoiceProps, FilterWordsProps } from "./kind.js";

export function PlainWords({ value }: FilterWordsProps) {
  return <bdi>{value}</bdi>;
}

/** The browser's own input, which suits the device's keyboard and calendar. */
export function inputOf(
  type: "text" | "date",
  toInput: (value: string) => string = (value) => value,
  fromInput: (typed: string) => string = (typed) => typed,
  inputMode: "text" | "decimal" = "text",
) {
  return function Input({ label, value, onChange }: FilterChoiceProps) {
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
          value={toInput(value)}
          onChange={(event) => onChange(fromInput(event.target.value))}
        />
      </div>
    );
  };
}
