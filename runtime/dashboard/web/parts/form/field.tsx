import { type ReactNode, type Ref, useState } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import { TextField } from "react-aria-components/TextField";
import { en } from "../../text/en/en.js";
import "./field.css";
import { Button } from "../button/button.js";
import { Icon } from "../button/icon.js";
import { CodeArea } from "./code/area.js";

export interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "email" | "password" | "search";
  readonly error?: string | undefined;
  readonly help?: ReactNode;
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
  readonly isOptional?: boolean;
  readonly isReadOnly?: boolean;
  readonly inputMode?: "numeric" | "decimal" | "url";
  readonly placeholder?: string | undefined;
  /** The input's id, for links to it. */
  readonly id?: string;
  /** Several lines; the input grows with its text. */
  readonly isLong?: boolean;
  /** For `isLong`: lines are numbered and do not wrap. */
  readonly isCode?: boolean;
  readonly onLeave?: () => void;
  readonly className?: string;
  readonly maxLength?: number;
  /** Values that the error suggests instead of the typed one. */
  readonly choices?: readonly string[];
  readonly inputRef?: Ref<HTMLInputElement>;
  /** Between the label and the input. */
  readonly above?: ReactNode;
  /** Buttons next to the value; null if there are none at the moment. */
  readonly tools?: ReactNode;
}

/** A text input with its label above, and its error and help below. */
export function Field(props: FieldProps) {
  const { label, name, value, onChange, type = "text", error, help } = props;
  const [isShown, setShown] = useState(false);
  const isPassword = type === "password";
  const isGroup = isPassword || (props.tools !== undefined && props.isLong !== true);
  const input = props.isCode ? (
    <CodeArea value={value} placeholder={props.placeholder ?? ""} />
  ) : props.isLong ? (
    <TextArea dir="auto" className="input area" placeholder={props.placeholder ?? ""} />
  ) : (
    <Input
      dir="auto"
      placeholder={props.placeholder ?? ""}
      className={isGroup ? "bare" : `input ${props.className ?? ""}`}
      ref={props.inputRef ?? null}
      spellCheck={false}
      autoCapitalize={type === "text" && props.inputMode === undefined ? "sentences" : "none"}
    />
  );
  return (
    <TextField
      className="field"
      name={name}
      value={value}
      onChange={onChange}
      type={isPassword && isShown ? "text" : type}
      isInvalid={error !== undefined}
      isReadOnly={props.isReadOnly === true}
      validationBehavior="aria"
      {...(props.id === undefined ? {} : { id: props.id })}
      {...(props.onLeave === undefined ? {} : { onBlur: props.onLeave })}
      {...(props.autoComplete === undefined ? {} : { autoComplete: props.autoComplete })}
      {...(props.inputMode === undefined ? {} : { inputMode: props.inputMode })}
      {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
      autoFocus={props.autoFocus === true}
    >
      <Label className="label">
        <bdi>{label}</bdi>
        {props.isOptional === true ? <span className="optional">{en.common.optional}</span> : null}
      </Label>
      {props.above}
      {isGroup ? (
        <div className="group" data-invalid={error !== undefined || undefined}>
          {input}
          {isPassword ? (
            <button
              className="in"
              type="button"
              aria-label={isShown ? en.common.hidePassword : en.common.showPassword}
              onClick={() => setShown(!isShown)}
            >
              <Icon name="eye" />
            </button>
          ) : (
            props.tools
          )}
        </div>
      ) : (
        input
      )}
      <FieldError className="error">
        <Icon name="alert" />
        <span>{error}</span>
      </FieldError>
      {props.choices === undefined || props.choices.length === 0 ? null : (
        <span className="row wrap">
          {props.choices.map((choice) => (
            <Button
              key={choice}
              size="small"
              label={en.common.insteadOf(choice, label)}
              onPress={() => onChange(choice)}
            >
              {choice}
            </Button>
          ))}
        </span>
      )}
      {help === undefined ? null : (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
    </TextField>
  );
}
