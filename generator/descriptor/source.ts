import type { Problem } from "../../runtime/values/problem.js";

/** From the descriptor's top level downwards: `["fields", "price", "min"]`. */
export type Path = readonly (string | number)[];

export interface Place {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

/** Where each key and value of one descriptor stands. */
export interface Source {
  /** `resources/products.yaml` */
  readonly file: string;
  /** By `pathKey`. The key of a list's entry is the entry itself. */
  readonly places: ReadonlyMap<string, { readonly key: Place; readonly value: Place }>;
}

export interface Complaint {
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

/** The complaint with its place; what is not written at all is placed at the name of what lacks it. */
export function problemOf(source: Source, { path, at, message, hint }: Complaint): Problem {
  for (let length = path.length; length > 0; length--) {
    const places = source.places.get(pathKey(path.slice(0, length)));
    if (places !== undefined) {
      const place = length === path.length ? places[at] : places.key;
      return { file: source.file, ...place, message, hint };
    }
  }
  return { file: source.file, line: 1, column: 1, message, hint };
}
