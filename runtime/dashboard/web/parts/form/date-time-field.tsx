import { Labelled, type LabelledProps } from "./labelled.js";

export interface MomentFieldProps extends LabelledProps {
  readonly type: "date" | "datetime-local";
  readonly value: string;
  readonly min: string;
  readonly max: string;
  /** The step of the arrow keys in seconds. */
  readonly step?: number;
  /** `isWhole` is false while a part is missing: the value is empty then. */
  readonly onChange: (value: string, isWhole: boolean) => void;
  readonly onLeave: () => void;
}

/** The browser's native input for a date or a time, in the device's format. */
export function MomentField({
  type,
  value,
  min,
  max,
  step,
  onChange,
  onLeave,
  ...props
}: MomentFieldProps) {
  return (
    <Labelled {...props}>
      {(ties) => (
        <input
          {...ties}
          className="input"
          type={type}
          value={value}
          min={min}
          max={max}
          step={step}
          onChange={({ target }) => onChange(target.value, !target.validity.badInput)}
          onBlur={({ target }) => {
            // The browser reports no event while an incomplete value is typed.
            if (target.validity.badInput) onChange("", false);
            onLeave();
          }}
        />
      )}
    </Labelled>
  );
}
