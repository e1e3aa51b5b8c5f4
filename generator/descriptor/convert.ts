import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from "yaml";
import type { Problem } from "../problem.js";
import { type Path, type Place, pathKey, type Source } from "./source.js";

/**
 * A descriptor's content as plain values; its objects have no prototype, so any key is only a key.
 * Null, with a problem, where parts of it cannot be known.
 */
export interface Converted {
  readonly value: unknown;
  readonly source: Source;
  readonly problems: readonly Problem[];
}

/**
 * YAML nodes to plain values with their places. Refuses duplicate keys, keys that are no words, and
 * aliases that lead nowhere or multiply without end; of two equal keys the first is kept.
 */
export function convert(document: Document.Parsed, lines: LineCounter, file: string): Converted {
  const places = new Map<string, { key: Place; value: Place }>();
  const problems: Problem[] = [];
  const anchors = new Map<string, Node>();
  let values = 0;
  let isEndless = false;
  let isWhole = true;

  function placeOf(offset: number): Place {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  }

  function report(place: Place, message: string, hint: string | null): null {
    problems.push({ file, ...place, message, hint });
    return null;
  }

  /** `key` is the place of the value's name, which stands in for a value that is not written. */
  function read(node: Node | null, path: Path, key: Place | null): unknown {
    const [start = 0, end = 0] = node?.range ?? [];
    const value = start < end ? placeOf(start) : (key ?? { line: 1, column: 1 });
    places.set(pathKey(path), { key: key ?? value, value });
    values += 1;
    if (isEndless) {
      return null;
    }
    if (values > mostValues || path.length > mostLevels) {
      isEndless = true;
      isWhole = false;
      return report(value, "this descriptor grows without end", "write its aliases (*name) out");
    }
    return readContent(node, path, value);
  }

  function readContent(node: Node | null, path: Path, place: Place): unknown {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined) {
        isWhole = false;
        return report(place, `there is no anchor "&${node.source}" above this alias`, null);
      }
      return readContent(target, path, place);
    }
    if (node?.anchor !== undefined) {
      anchors.set(node.anchor, node);
    }
    if (isMap<Node, Node | null>(node)) {
      return readMap(node.items, path);
    }
    if (isSeq<Node | null>(node)) {
      return node.items.map((item, index) => read(item, [...path, index], place));
    }
    return isScalar(node) ? node.value : null;
  }

  function readMap(items: readonly { key: Node; value: Node | null }[], path: Path): unknown {
    const map: Record<string, unknown> = Object.create(null);
    for (const { key, value } of items) {
      const place = placeOf(key.range?.[0] ?? 0);
      const name = nameOf(key);
      if (name === null) {
        report(place, "a key must be a plain word", null);
      } else if (Object.hasOwn(map, name)) {
        const first = places.get(pathKey([...path, name]))?.key.line;
        report(place, `"${name}" stands here twice`, `it is on line ${first} already: keep one`);
      } else {
        map[name] = read(value, [...path, name], place);
      }
    }
    return map;
  }

  const value = read(document.contents, [], null);
  return { value: isWhole ? value : null, source: { file, places }, problems };
}

/** Far more than a resource of PostgreSQL's 1 600 columns needs; aliases of aliases pass it at once. */
const mostValues = 100_000;
/** A descriptor's own language ends at five. */
const mostLevels = 32;

/** Plain `null`, `true` and `1` are names too, when they stand before a colon. */
function nameOf(key: Node): string | null {
  if (!isScalar(key)) {
    return null;
  }
  return typeof key.value === "string" ? key.value : (key.source ?? "");
}
