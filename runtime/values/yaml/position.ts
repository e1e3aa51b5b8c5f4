/** The keys from a document's top level to a value: `["fields", "price", "min"]`. */
export type Path = readonly (string | number)[];

export interface Position {
  /** One-based, like the column. */
  readonly line: number;
  readonly column: number;
}

/** The positions of a value and of its key. The key of a list entry is the entry itself. */
export interface Written {
  readonly key: Position;
  readonly value: Position;
  /**
   * Number of characters from `value` to its text: 0, or 1 for a quotation mark. Set only for text on one line without
   * escapes.
   */
  readonly textAfter?: number;
}

/** The position of each value of a document, by the `pathKey` of its path. */
export type Positions = ReadonlyMap<string, Written>;

/** Converts a path to a string, for use as a key. */
export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

/** The keys of the map at a path, in source order. */
export function keysAt(positions: Positions, path: Path): readonly string[] {
  const start = path.length === 0 ? "[" : `${pathKey(path).slice(0, -1)},`;
  return [...positions.keys()].flatMap((written) => {
    if (!written.startsWith(start)) return [];
    const [key, ...below] = JSON.parse(`[${written.slice(start.length)}`) as Path;
    return typeof key === "string" && below.length === 0 ? [key] : [];
  });
}

/** The position of the value at a path, or of the innermost existing value that contains the path. */
export function nearestWritten(
  positions: Positions,
  path: Path,
): { readonly path: Path; readonly written: Written } | null {
  for (let length = path.length; length >= 0; length--) {
    const around = path.slice(0, length);
    const written = positions.get(pathKey(around));
    if (written !== undefined) return { path: around, written };
  }
  return null;
}
