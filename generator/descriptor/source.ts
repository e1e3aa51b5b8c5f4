import type { Problem } from "../../runtime/values/problem.js";

/** From the descriptor's top level downwards: `["fields", "price", "min"]`. */
export type Path = readonly (string | number)[];

export interface Position {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

/** Where each key and value of one descriptor stands. */
export interface Source {
  /** `resources/products.yaml` */
  readonly file: string;
  /** By `pathKey`. The key of a list's entry is the entry itself. */
  readonly positions: ReadonlyMap<string, { readonly key: Position; readonly value: Position }>;
}

export interface DescriptorIssue {
  readonly path: Path;
  /** Whether the name is wrong or what was written for it. */
  readonly at: "key" | "value";
  readonly message: string;
  readonly hint: string;
}

/** A path as one text, for maps. */
export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

/** The issue with its position; what is not written at all is placed at the name of what lacks it. */
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
