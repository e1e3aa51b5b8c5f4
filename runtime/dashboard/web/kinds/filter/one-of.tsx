import { Choice } from "../../parts/form/choice.js";
import { enList } from "../../text/en/list.js";
import type { FilterChoiceProps } from "../kind.js";

/** A select of a few values. */
export function OneOf({
  label,
  value,
  options,
  onChange,
}: FilterChoiceProps & {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}) {
  return (
    <Choice
      label={label}
      isLabelHidden
      value={value}
      options={value === "" ? [{ value: "", label: enList.choose }, ...options] : options}
      onChange={onChange}
    />
  );
}
