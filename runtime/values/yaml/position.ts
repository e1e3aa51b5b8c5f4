/** The keys from a document's top level down: `["fields", "price", "min"]`. */
export type Path = readonly (string | number)[];

export interface Position {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** The positions of a value and of the key before it. The key of a list entry is the entry itself. */
export interface Written {
  readonly key: Position;
  readonly value: Position;
  /** Characters from `value` to its text: 0, or 1 for a quotation mark; only for texts on one line without escapes. */
  readonly textAfter?: number;
}

/** The position of each value of a document, by `pathKey`. */
export type Positions = ReadonlyMap<string, Written>;

/** A path as a string key. */
export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

/** The keys of the map at a path, in their written order. */
export function keysAt(positions: Positions, path: Path): readonly string[] {
  const start = path.length === 0 ? "[" : `${pathKey(path).slice(0, -1)},`;
  return [...positions.keys()].flatMap((written) => {
    if (!written.startsWith(start)) return [];
    const [key, ...below] = JSON.parse(`[${written.slice(start.length)}`) as Path;
    return typeof key === "string" && below.length === 0 ? [key] : [];
  });
}

/** The value at a path, or the innermost one around it if none is written there. */
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
