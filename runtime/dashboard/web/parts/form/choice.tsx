import { type ReactNode, useId } from "react";
import { Icon } from "../button/icon.js";
import { Labelled } from "./labelled.js";

export interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  /** Hides the label visually if the options are clear without it. */
  readonly isLabelHidden?: boolean;
  readonly isBeside?: boolean;
  readonly id?: string;
  readonly isOptional?: boolean;
  readonly error?: string | undefined;
  readonly help?: ReactNode;
  readonly onLeave?: () => void;
  /** Focuses the select, for example in a popover that was opened for it. */
  readonly autoFocus?: boolean;
  /** Called on Enter; without it, the browser decides. */
  readonly onEnter?: () => void;
}

/** The browser's select, which suits the device. */
export function Choice({
  value,
  options,
  onChange,
  onLeave,
  autoFocus = false,
  onEnter,
  ...props
}: ChoiceProps) {
  const made = useId();
  return (
    <Labelled {...props} id={props.id ?? made}>
      {(ties) => (
        <span className="select-box">
          <select
            {...ties}
            className="select"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onLeave}
            // biome-ignore lint/a11y/noAutofocus: only in a layer, which would take the focus itself
            autoFocus={autoFocus}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || onEnter === undefined) return;
              event.preventDefault();
              onEnter();
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </span>
      )}
    </Labelled>
  );
}
