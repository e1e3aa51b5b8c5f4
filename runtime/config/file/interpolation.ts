import type { Path } from "../../values/yaml/position.js";
import type { Environment } from "../environment/environment.js";

export interface Interpolated {
  readonly text: string;
  /** Variables without a default that are not set. */
  readonly unset: readonly string[];
  /** False if a `${` does not begin a `${NAME}` or `${NAME:-default}`. */
  readonly wellFormed: boolean;
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` with environment variables. As in a shell, the default also replaces an
 * empty variable. The text of a variable is not interpolated.
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

/**
 * Returns the value with `replace` applied to each text; a key whose text becomes undefined is removed from its map.
 */
export function replaceTexts(
  value: unknown,
  replace: (text: string, path: Path) => string | undefined,
  path: Path = [],
): unknown {
  if (typeof value === "string") return replace(value, path);
  if (Array.isArray(value)) {
    return value.map((entry, index) => replaceTexts(entry, replace, [...path, index]));
  }
  if (typeof value !== "object" || value === null) return value;
  const map: Record<string, unknown> = Object.create(null);
  for (const [key, entry] of Object.entries(value)) {
    const replaced = replaceTexts(entry, replace, [...path, key]);
    if (replaced !== undefined) map[key] = replaced;
  }
  return map;
}
