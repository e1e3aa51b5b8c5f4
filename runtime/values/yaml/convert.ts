import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from "yaml";
import { maxLevels } from "./compose.js";
import type { YamlMistake } from "./mistake.js";
import { type Path, type Position, type Positions, pathKey, type Written } from "./position.js";

/** A document's content as plain values. Objects have no prototype, so that no key has a special meaning. */
export interface Converted {
  /** Null, with a mistake, if the document is too large or nested too deeply. */
  readonly value: unknown;
  /** Paths, as `pathKey` returns them, of values that are null because an alias is unresolved. */
  readonly unknown: ReadonlySet<string>;
  readonly positions: Positions;
  readonly mistakes: readonly YamlMistake[];
}

/**
 * Maximum number of values: far more than a resource with PostgreSQL's 1,600 columns needs. Nested aliases quickly
 * exceed it.
 */
export const maxValues = 100_000;

/**
 * Converts YAML nodes to plain values with their positions. Reports repeated keys, of which the first counts, keys that
 * are not names, and aliases that are undefined or multiply endlessly.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a recursion whose steps share what they have read
export function convert(
  document: Document.Parsed,
  positionOf: (offset: number) => Position,
): Converted {
  const positions = new Map<string, Written>();
  const mistakes: YamlMistake[] = [];
  const anchors = new Map<string, Node>();
  let values = 0;
  const open = new Set<Node>();
  const unknown = new Set<string>();
  let outermost: { readonly name: string; readonly position: Position } | null = null;
  let isEndless = false;

  /** `around` is the position of the key or list that contains the value; it is used if the value is missing. */
  function read(node: Node | null, path: Path, around: Position | null): unknown {
    const [start = 0, end = 0] = node?.range ?? [];
    const value = start < end ? positionOf(start) : (around ?? { line: 1, column: 1 });
    const isEntry = typeof path.at(-1) === "number";
    const textAfter = textStart(node, value, positionOf(end));
    const written = { key: isEntry ? value : (around ?? value), value };
    positions.set(pathKey(path), textAfter === null ? written : { ...written, textAfter });
    values += 1;
    if (isEndless) {
      return null;
    }
    if (values > maxValues || path.length > maxLevels) {
      isEndless = true;
      const position = outermost?.position ?? value;
      const alias = outermost?.name ?? null;
      mistakes.push(
        values > maxValues
          ? { ...position, kind: "too large", alias }
          : { ...position, kind: "too deep" },
      );
      return null;
    }
    return readContent(node, path, value);
  }

  function readContent(node: Node | null, path: Path, position: Position): unknown {
    if (isAlias(node)) {
      return readAlias(node.source, path, position);
    }
    if (node?.anchor !== undefined) {
      anchors.set(node.anchor, node);
    }
    if (isMap<Node, Node | null>(node)) {
      open.add(node);
      const map = readMap(node.items, path);
      open.delete(node);
      return map;
    }
    if (isSeq<Node | null>(node)) {
      open.add(node);
      const list = node.items.map((item, index) => read(item, [...path, index], position));
      open.delete(node);
      return list;
    }
    return isScalar(node) ? node.value : null;
  }

  function readAlias(name: string, path: Path, position: Position): unknown {
    const target = anchors.get(name);
    if (target === undefined || open.has(target)) {
      unknown.add(pathKey(path));
      mistakes.push(
        target === undefined
          ? { ...position, kind: "no anchor", name, anchors: [...anchors.keys()] }
          : { ...position, kind: "endless alias", name },
      );
      return null;
    }
    const isOutermost = outermost === null;
    outermost ??= { name, position };
    const value = readContent(target, path, position);
    outermost = isOutermost ? null : outermost;
    return value;
  }

  function readMap(items: readonly { key: Node; value: Node | null }[], path: Path): unknown {
    const map: Record<string, unknown> = Object.create(null);
    for (const { key, value } of items) {
      const position = positionOf(key.range?.[0] ?? 0);
      const name = nameOf(key);
      if (name === null) {
        mistakes.push({ ...position, kind: "complex key" });
      } else if (Object.hasOwn(map, name)) {
        const first = positions.get(pathKey([...path, name]))?.key.line ?? 1;
        mistakes.push({ ...position, kind: "repeated key", name, first });
      } else {
        map[name] = read(value, [...path, name], position);
      }
    }
    return map;
  }

  const value = read(document.contents, [], null);
  return { value: isEndless ? null : value, unknown, positions, mistakes };
}

/**
 * Number of characters from a value's position to its text: 0, or 1 for a quotation mark. Null unless the text is on
 * one line without escapes.
 */
function textStart(node: Node | null, start: Position, end: Position): number | null {
  if (!isScalar(node) || typeof node.value !== "string" || start.line !== end.line) return null;
  const around = end.column - start.column - node.value.length;
  return around === 0 || around === 2 ? around / 2 : null;
}

/** The name of a key; null if it has none. Before a colon, unquoted `null`, `true` and `1` are names too. */
function nameOf(key: Node): string | null {
  if (!isScalar(key)) {
    return null;
  }
  return typeof key.value === "string" ? key.value : (key.source ?? "");
}
