import type { Problem } from "../../runtime/values/problem.js";

/** The keys from the descriptor's top level downwards: `["fields", "price", "min"]`. */
export type Path = readonly (string | number)[];

export interface Position {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** The positions of each key and value of one descriptor. */
export interface Source {
  /** `resources/products.yaml` */
  readonly file: string;
  /** Keyed by `pathKey`. The key of a list's entry is the entry itself. */
  readonly positions: ReadonlyMap<string, { readonly key: Position; readonly value: Position }>;
}

export interface DescriptorIssue {
  readonly path: Path;
  /** Whether the key is wrong or its value. */
  readonly at: "key" | "value";
  readonly message: string;
  readonly hint: string;
}

/** A path as one text, for maps. */
export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

/** The issue with its position; something missing is reported at the key of what lacks it. */
export function problemOf(source: Source, { path, at, message, hint }: DescriptorIssue): Problem {
  for (let length = path.length; length > 0; length--) {
    const positions = source.positions.get(pathKey(path.slice(0, length)));
    if (positions !== undefined) {
      const position = length === path.length ? positions[at] : positions.key;
      return { file: source.file, ...position, message, hint };
    }
  }
  return { file: source.file, line: 1, column: 1, message, hint };
}
