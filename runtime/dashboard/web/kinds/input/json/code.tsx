import { Field } from "../../../parts/form/field.js";
import { described } from "../described.js";
import type { InputProps } from "../input.js";

/** A text that programs read, such as JSON. */
export function CodeInput(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  return (
    <Field
      {...described(props)}
      name={field.name}
      isLong
      isCode
      placeholder={field.placeholder}
      autoComplete="off"
      value={value}
      onChange={onChange}
      onLeave={onLeave}
    />
  );
}
