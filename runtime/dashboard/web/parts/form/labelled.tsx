import type { ReactNode } from "react";
import { en } from "../../text/en/en.js";
import "./field.css";
import { Icon } from "../button/icon.js";

/** What surrounds every input: label, error and help. */
export interface LabelledProps {
  readonly id: string;
  readonly label: string;
  readonly isOptional?: boolean;
  readonly isLabelHidden?: boolean;
  /** Hides the label visually, in a bar without space for it. */
  readonly isBeside?: boolean;
  readonly error?: string | undefined;
  readonly help?: ReactNode;
}

/** The attributes that connect an input with its error and its help, the error first. */
export interface Tied {
  readonly id: string;
  readonly "aria-invalid"?: "true";
  readonly "aria-describedby"?: string;
}

function tied({ id, error, help }: LabelledProps): Tied {
  const described = [
    error === undefined ? "" : `${id}-error`,
    help === undefined || help === null ? "" : `${id}-help`,
  ].filter((one) => one !== "");
  return {
    id,
    ...(error === undefined ? {} : { "aria-invalid": "true" as const }),
    ...(described.length === 0 ? {} : { "aria-describedby": described.join(" ") }),
  };
}

/** A native input with a label above it, and error and help below. */
export function Labelled({
  children,
  ...props
}: LabelledProps & { readonly children: (ties: Tied) => ReactNode }) {
  return (
    <div className={props.isBeside === true ? "field beside" : "field"}>
      <label
        className={props.isLabelHidden === true ? "hidden" : "label"}
        htmlFor={props.id}
        id={`${props.id}-label`}
      >
        <LabelText {...props} />
      </label>
      {children(tied(props))}
      <Below {...props} />
    </div>
  );
}

/** A label above several inputs of one value, and error and help below. */
export function LabelledGroup({
  children,
  className = "options",
  ...props
}: LabelledProps & { readonly children: ReactNode; readonly className?: string }) {
  const { id: _, ...ties } = tied(props);
  return (
    <fieldset className="field" {...ties}>
      <legend className="label">
        <LabelText {...props} />
      </legend>
      <div className={className}>{children}</div>
      <Below {...props} />
    </fieldset>
  );
}

function LabelText({ label, isOptional }: LabelledProps) {
  return (
    <>
      <bdi>{label}</bdi>
      {isOptional === true ? <span className="optional">{en.common.optional}</span> : null}
    </>
  );
}

export function Below({ id, error, help }: LabelledProps) {
  return (
    <>
      {error === undefined ? null : (
        <p className="error" id={`${id}-error`}>
          <Icon name="alert" />
          <span>{error}</span>
        </p>
      )}
      {help === undefined || help === null ? null : (
        <div className="help" id={`${id}-help`}>
          {help}
        </div>
      )}
    </>
  );
}
