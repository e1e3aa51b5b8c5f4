import type { Problem } from "../../runtime/values/problem.js";
import { nearestWritten, type Path, type Positions } from "../../runtime/values/yaml/position.js";

/** The positions of all keys and values of one descriptor. */
export interface Source {
  /** Path of the descriptor, such as `resources/products.yaml`. */
  readonly file: string;
  readonly positions: Positions;
}

export interface DescriptorIssue {
  readonly path: Path;
  /** Whether the key or its value is wrong. */
  readonly at: "key" | "value";
  readonly message: string;
  readonly hint: string;
}

/** Adds the position to an issue; a missing key is reported at the key of its map. */
export function problemOf(source: Source, { path, at, message, hint }: DescriptorIssue): Problem {
  const nearest = nearestWritten(source.positions, path);
  if (nearest === null || nearest.path.length === 0) {
    return { file: source.file, line: 1, column: 1, message, hint };
  }
  const { key, value } = nearest.written;
  const isThere = nearest.path.length === path.length;
  return { file: source.file, ...(isThere && at === "value" ? value : key), message, hint };
}
