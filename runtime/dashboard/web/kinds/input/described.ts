import { labelOf } from "../../api/records/descriptors.js";
import type { InputProps } from "./input.js";

/** Appends a sentence to a descriptor's help text, which gets a full stop if it ends without punctuation. */
export function joined(help: string | undefined, ours: string): string {
  if (help === undefined) return ours;
  return `${/[.!?…:]$/.test(help) ? help : `${help}.`} ${ours}`;
}

/** The properties that every input of a field has. */
export function described({ field, id, error }: InputProps) {
  return {
    id,
    label: labelOf(field),
    isOptional: field.required !== true,
    error,
    help: field.help ?? field.description,
  };
}
