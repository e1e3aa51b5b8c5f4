import { Below, type LabelledProps } from "./labelled.js";

export interface SwitchProps extends LabelledProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A switch with a label next to it. */
export function Switch({ isOn, onChange, ...props }: SwitchProps) {
  const { id, error, help } = props;
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label className="option">
        <input
          className="switch"
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          id={id}
          checked={isOn}
          aria-describedby={described === "" ? undefined : described}
          onChange={(event) => onChange(event.target.checked)}
        />
        <bdi className="strong small">{props.label}</bdi>
      </label>
      <Below {...props} />
    </div>
  );
}
