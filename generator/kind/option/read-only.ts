import type { OptionProblem, Options } from "../kind.js";

/** Finds options that contradict `readOnly`: write requests neither set such a field nor check that it is unique. */
export function checkReadOnly(options: Options): readonly OptionProblem[] {
  if (options.readOnly !== true || options.computed !== undefined) return [];
  if (options.unique !== undefined && options.unique !== false) {
    const message = 'a read-only field takes no "unique"';
    return [{ path: ["unique"], message, hint: "remove it, or remove readOnly" }];
  }
  if (options.required === true && options.default === undefined) {
    const message = "a read-only field that is required needs a default";
    const hint = "write a default for new records, or remove required";
    return [{ path: ["required"], message, hint }];
  }
  return [];
}
