import { useLayoutEffect, useRef } from "react";
import { Field } from "./field.js";

export interface CodeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called once for each complete code. */
  readonly onComplete: (code: string) => void;
  readonly error?: string | undefined;
  readonly help?: string | undefined;
  readonly autoFocus?: boolean;
}

const length = 6;

/** A field for six digits: accepts pasted spaces and autofill, and submits a complete code once. */
export function CodeField(props: CodeFieldProps) {
  const { label, value, onChange, onComplete, error, help } = props;
  const sent = useRef("");
  const input = useRef<HTMLInputElement>(null);
  // After a wrong code, the next digit starts a new one.
  useLayoutEffect(() => {
    if (error !== undefined) input.current?.select();
  }, [error]);
  return (
    <Field
      className="code"
      inputRef={input}
      label={label}
      name="code"
      value={value}
      error={error}
      help={help}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus={props.autoFocus === true}
      onChange={(typed) => {
        const digits = typed.replace(/\D/g, "").slice(0, length);
        onChange(digits);
        if (digits.length === length && digits !== sent.current) {
          sent.current = digits;
          onComplete(digits);
        }
      }}
    />
  );
}
