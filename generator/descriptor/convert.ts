import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from "yaml";
import { didYouMean } from "../../runtime/values/nearest.js";
import type { Problem } from "../../runtime/values/problem.js";
import { type Path, type Position, pathKey, type Source } from "./source.js";

/**
 * A descriptor's content as plain values; its objects have no prototype, so any key is only a key.
 * Null, with a problem, where aliases or nesting make it endless.
 */
export interface Converted {
  readonly value: unknown;
  /** The paths, by `pathKey`, of values that an alias leaves open: null in `value`. */
  readonly unknown: ReadonlySet<string>;
  readonly source: Source;
  readonly problems: readonly Problem[];
}

/**
 * Converts YAML nodes to plain values with their positions. Refuses duplicate keys, keys that are not
 * words, and aliases that are undefined or multiply without end; of two equal keys the first is kept.
 */
export function convert(document: Document.Parsed, lines: LineCounter, file: string): Converted {
  const positions = new Map<string, { key: Position; value: Position }>();
  const problems: Problem[] = [];
  const anchors = new Map<string, Node>();
  let values = 0;
  const open = new Set<Node>();
  const unknown = new Set<string>();
  let outermost: { readonly name: string; readonly position: Position } | null = null;
  let isEndless = false;

  function positionOf(offset: number): Position {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  }

  function report(position: Position, message: string, hint: string): null {
    problems.push({ file, ...position, message, hint });
    return null;
  }

  /** `key` is the position of the value's name, used for a value that is not written. */
  function read(node: Node | null, path: Path, key: Position | null): unknown {
    const [start = 0, end = 0] = node?.range ?? [];
    const value = start < end ? positionOf(start) : (key ?? { line: 1, column: 1 });
    positions.set(pathKey(path), { key: key ?? value, value });
    values += 1;
    if (isEndless) {
      return null;
    }
    if (values > maxValues || path.length > maxLevels) {
      isEndless = true;
      const { message, hint } = values > maxValues ? tooLarge(outermost?.name ?? null) : tooDeep;
      return report(outermost?.position ?? value, message, hint);
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
      const mistake = target === undefined ? noAnchor(name, [...anchors.keys()]) : endless(name);
      return report(position, mistake.message, mistake.hint);
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
        report(position, "a key must be a plain word", plainKey);
      } else if (Object.hasOwn(map, name)) {
        const first = positions.get(pathKey([...path, name]))?.key.line;
        report(position, `"${name}" appears twice`, `it is already on line ${first}: keep one`);
      } else {
        map[name] = read(value, [...path, name], position);
      }
    }
    return map;
  }

  const value = read(document.contents, [], null);
  return { value: isEndless ? null : value, unknown, source: { file, positions }, problems };
}

/** Far more than a resource of PostgreSQL's 1 600 columns needs; aliases of aliases soon exceed it. */
const maxValues = 100_000;
/** A well-formed descriptor has five levels. */
export const maxLevels = 32;

/** A mistake without its position. */
interface Mistake {
  readonly message: string;
  readonly hint: string;
}

/** The mistake of a text that opens more brackets than any descriptor needs. */
export const tooDeep: Mistake = {
  message: "values are nested too deeply",
  hint: "a descriptor is at most five levels deep: close the brackets that are left open",
};

/** `alias` is the one that produced the excess; null where everything is written out. */
function tooLarge(alias: string | null): Mistake {
  const max = maxValues.toLocaleString("en").replace(",", " ");
  return alias === null
    ? {
        message: `this descriptor has more than ${max} values`,
        hint: "split it into several resources that link to each other",
      }
    : {
        message: `the alias "*${alias}" makes more than ${max} values of this descriptor`,
        hint: `write out what you need of "&${alias}", without aliases inside aliases`,
      };
}

function noAnchor(name: string, anchors: readonly string[]): Mistake {
  return {
    message: `there is no anchor "&${name}" above this alias`,
    hint:
      didYouMean(name, anchors) ??
      `put &${name} before the value that it stands for, or write that value here`,
  };
}

function endless(name: string): Mistake {
  return {
    message: `the alias "*${name}" is inside "&${name}" itself`,
    hint: "write the value out",
  };
}

const plainKey =
  "write it like name: { type: string }; a text that begins with { or [ needs quotes around it";

/** The name that a key spells: before a colon, plain `null`, `true` and `1` are names too. */
function nameOf(key: Node): string | null {
  if (!isScalar(key)) {
    return null;
  }
  return typeof key.value === "string" ? key.value : (key.source ?? "");
}
