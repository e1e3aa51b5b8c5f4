import { labelOf } from "../../api/records/descriptors.js";
import type { InputProps } from "./input.js";

/** A descriptor's help text, with a full stop added before another sentence. */
export function joined(help: string | undefined, ours: string): string {
  if (help === undefined) return ours;
  return `${/[.!?…:]$/.test(help) ? help : `${help}.`} ${ours}`;
}

/** The properties of a field that every input shows. */
export function described({ field, id, error }: InputProps) {
  return {
    id,
    label: labelOf(field),
    isOptional: field.required !== true,
    error,
    help: field.help ?? field.description,
  };
}
