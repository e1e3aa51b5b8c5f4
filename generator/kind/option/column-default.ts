import type { OptionProblem, Options } from "../kind.js";

/**
 * Finds options that contradict `columnDefault`: a default in the descriptor, or a field that create requests cannot
 * contain.
 */
export function checkColumnDefault(options: Options): readonly OptionProblem[] {
  if (options.columnDefault !== true) return [];
  const others = ["default", "readOnly", "computed"].filter(
    (name) => options[name] !== undefined && options[name] !== false,
  );
  return others.slice(0, 1).map((name) => ({
    path: ["columnDefault"],
    message: `a field with "${name}" takes no "columnDefault"`,
    hint: `remove it, or remove ${name}`,
  }));
}
