import type { ReactNode } from "react";
import { Icon } from "../../parts/button/icon.js";
import { Field } from "../../parts/form/field.js";
import { en } from "../../text/en/en.js";
import { enRecord } from "../../text/en/record.js";
import { count } from "../../text/format.js";
import { nearBounds } from "../value/number-value.js";
import { CopyButton, hrefOf } from "../value/web-address.js";
import { described, joined } from "./described.js";
import type { InputProps } from "./input.js";

export function Line(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  const href = hrefOf(field.format, value);
  return (
    <Field
      {...described(props)}
      name={field.name}
      {...(field.format === "email" || field.format === "url"
        ? { tools: href === null ? null : <AddressTools href={href} value={value} /> }
        : {})}
      // A single-line input would remove line breaks.
      isLong={/[\n\r]/.test(value)}
      type={field.format === "email" ? "email" : "text"}
      {...(field.format === "url" ? { inputMode: "url" as const } : {})}
      placeholder={field.placeholder}
      autoComplete="off"
      value={value}
      onChange={onChange}
      onLeave={onLeave}
    />
  );
}

/** Buttons that open or copy the input's value. */
function AddressTools({ href, value }: { readonly href: string; readonly value: string }) {
  return (
    <>
      <a
        className="in"
        href={href}
        target="_blank"
        rel="noreferrer"
        aria-label={en.common.openValue(value)}
      >
        <Icon name="link" />
      </a>
      <CopyButton className="in" value={value} />
    </>
  );
}

/** Long text; `above` is between the label and the text. */
export function Lines(props: InputProps & { readonly above?: ReactNode }) {
  const { field, value, onChange, onLeave, above } = props;
  const { help, ...rest } = described(props);
  const used = [...value].length;
  const { max: most } = nearBounds({ max: field.maxLength }, used);
  return (
    <Field
      {...rest}
      name={field.name}
      isLong
      above={above}
      placeholder={field.placeholder}
      autoComplete="off"
      help={most === undefined ? help : joined(help, enRecord.characters(count(used), count(most)))}
      value={value}
      onChange={onChange}
      onLeave={onLeave}
    />
  );
}
