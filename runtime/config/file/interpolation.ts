import type { Environment } from "../environment/environment.js";

/** A text with its variables replaced. */
export interface Interpolated {
  readonly text: string;
  /** Variables that have no default and are not set. */
  readonly unset: readonly string[];
  /** False where a `${` is not the start of `${NAME}` or `${NAME:-default}`. */
  readonly wellFormed: boolean;
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` by environment variables. As in a shell, the default also
 * replaces an empty variable. A variable's own text is never interpolated again.
 */
export function interpolate(source: string, environment: Environment): Interpolated {
  const unset: string[] = [];
  const text = source.replace(variable, (_match, name: string, fallback: string | undefined) => {
    const value = environment[name] ?? "";
    if (value !== "") return value;
    if (fallback === undefined) unset.push(name);
    return fallback ?? "";
  });
  return { text, unset, wellFormed: !source.replace(variable, "").includes("${") };
}
