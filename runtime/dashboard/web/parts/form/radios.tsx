import { LabelledGroup, type LabelledProps } from "./labelled.js";

export interface RadiosProps extends LabelledProps {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
}

export function Radios({ value, options, onChange, onLeave, ...props }: RadiosProps) {
  return (
    <LabelledGroup {...props} className="options in-line">
      {options.map((option, at) => (
        <label key={option.value} className="option">
          <input
            className="radio"
            type="radio"
            name={props.id}
            // A link to the field focuses its first value.
            id={at === 0 ? props.id : undefined}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            onBlur={onLeave}
          />
          <bdi>{option.label}</bdi>
        </label>
      ))}
    </LabelledGroup>
  );
}
