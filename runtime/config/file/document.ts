import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from "yaml";
import { mergeMarkerLine, mergeMarkersMessage } from "../../values/merge-markers.js";
import type { Problem } from "../../values/problem.js";
import type { Environment } from "../environment/environment.js";
import { interpolate } from "./interpolation.js";
import { isOverridden, missingVariables } from "./unset.js";

const file = "service.yaml";

/** `service.yaml` as plain values with its variables replaced, and the position of each value. */
export interface SettingsDocument {
  readonly value: unknown;
  /** Syntax errors; the value is undefined if there is one. */
  readonly problems: readonly Problem[];
  /** Values that name variables without a default which are not set. */
  readonly unset: readonly UnsetValue[];
  /** A problem at the value of that path; for a missing value, at the nearest key above it. */
  problemAt(path: readonly PropertyKey[], message: string, hint?: string | null): Problem;
  /** A problem at the last key of that path. */
  problemAtKey(path: readonly PropertyKey[], message: string, hint?: string | null): Problem;
}

/** A value that is missing because a variable in it is not set. */
export interface UnsetValue {
  readonly path: readonly PropertyKey[];
  readonly problem: Problem;
}

/** Reads and parses `<root>/service.yaml`; a file that cannot be read is a problem, and the value undefined. */
export function readDocument(root: string, environment: Environment): SettingsDocument {
  const { text, refused } = readText(root);
  const lines = new LineCounter();
  // Pretty errors quote the source, and the source may hold a password.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const unset: UnsetValue[] = [];
  const replaced: (readonly PropertyKey[])[] = [];
  const problems: Problem[] = [];

  const problem = (offset: number, message: string, hint: string | null = null): Problem => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), message, hint };
  };

  if (refused !== null) problems.push(refused);
  problems.push(...syntaxProblems(text, document, problem));
  visit(document, {
    Alias(_key, node) {
      if (node.resolve(document) !== undefined) return;
      problems.push(problem(startOf(node), `There is no anchor named "${node.source}" above`));
    },
    Scalar(key, node, ancestors) {
      if (key === "key" || typeof node.value !== "string" || !node.value.includes(`\${`)) return;
      const { text: value, unset: names, wellFormed } = interpolate(node.value, environment);
      if (!wellFormed) problems.push(problem(startOf(node), malformed.message, malformed.hint));
      if (names.length > 0) {
        const path = pathOf(node, ancestors);
        const { message, hint } = missingVariables(path, names);
        if (isOverridden(path, node.value, environment)) replaced.push(path);
        else unset.push({ path, problem: problem(startOf(node), message, hint) });
      }
      node.value = value;
    },
  });

  for (const path of replaced) document.deleteIn(path);

  return {
    value: problems.length === 0 ? (document.toJS() ?? {}) : undefined,
    problems,
    unset,
    problemAt(path, message, hint = null) {
      const { key, value } = find(document, path);
      const place = isScalar(value) || key === null ? value : key;
      return problem(startOf(place), message, hint);
    },
    problemAtKey(path, message, hint = null) {
      const { key, value } = find(document, path);
      return problem(startOf(key ?? value), message, hint);
    },
  };
}

type Report = (offset: number, message: string, hint: string | null) => Problem;

/** Syntax errors; those that follow from merge conflict markers or unquoted variables are left out. */
function syntaxProblems(
  text: string,
  { errors }: Document.Parsed,
  report: Report,
): readonly Problem[] {
  const marker = mergeMarkerLine(text);
  if (marker !== null) {
    const hint = "keep what you need of both sides and delete the marker lines";
    return [{ file, line: marker, column: 1, message: mergeMarkersMessage, hint }];
  }
  const unquoted = errors.filter(({ pos }) => text.slice(pos[0] - 1, pos[0] + 1) === "${");
  if (unquoted.length === 0) {
    return errors.map(({ pos, message }) => report(pos[0], withoutSource(message), null));
  }
  return unquoted.map(({ pos, message }) => {
    const start = pos[0] - 1;
    const name = /^\$\{\w*/.exec(text.slice(start))?.[0] ?? "";
    const brackets = message.includes("flow sequence") ? "[ ]" : "{ }";
    const hint = `put ${name}} in quotes inside ${brackets}`;
    return report(start, `a variable inside ${brackets} needs quotes`, hint);
  });
}

const missing: Problem = {
  file,
  line: 1,
  column: 1,
  message: "The file is missing or cannot be read",
  hint: "run the command in the app's folder, or make an app: npx service init <dir>",
};

const irregular: Problem = {
  ...missing,
  message: "This is not a regular file",
  hint: "service.yaml is a regular file, or a link to one",
};

const folder: Problem = { ...irregular, message: "This is a folder" };

const malformed = {
  message: "`${` does not begin a variable",
  hint: `write \${NAME} or \${NAME:-default}`,
};

interface ReadText {
  /** "" where the file is refused. */
  readonly text: string;
  readonly refused: Problem | null;
}

/** Reading a pipe would never end, so only a regular file, or a link to one, is opened. */
function readText(root: string): ReadText {
  const path = join(root, file);
  try {
    const found = statSync(path);
    if (found.isDirectory()) return { text: "", refused: folder };
    if (!found.isFile()) return { text: "", refused: irregular };
    return { text: readFileSync(path, "utf8"), refused: null };
  } catch (error) {
    if (error instanceof Error && "code" in error) return { text: "", refused: missing };
    throw error;
  }
}

/** The deepest key and value along a path that are actually written in the file. */
function find(
  document: Document,
  path: readonly PropertyKey[],
): { key: Scalar | null; value: Node | null } {
  let key: Scalar | null = null;
  let value: unknown = document.contents;
  for (const step of path) {
    const holder = isAlias(value) ? value.resolve(document) : value;
    if (isSeq(holder)) {
      value = holder.items[Number(step)];
      key = null;
      continue;
    }
    if (!isMap(holder)) break;
    const pair = holder.items.find(
      (item) => isScalar(item.key) && String(item.key.value) === String(step),
    );
    if (pair === undefined || !isScalar(pair.key)) break;
    key = pair.key;
    value = pair.value;
  }
  return { key, value: isScalar(value) || isMap(value) || isSeq(value) ? value : null };
}

function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

function withoutSource(message: string): string {
  return message.replace(/: ".*$/s, "");
}

/** The keys and positions that lead to a node. */
function pathOf(node: Node, ancestors: readonly unknown[]): readonly PropertyKey[] {
  return ancestors.flatMap((ancestor, at): PropertyKey[] => {
    if (isPair(ancestor)) return [String(isScalar(ancestor.key) ? ancestor.key.value : "")];
    if (isSeq(ancestor)) return [ancestor.items.indexOf(ancestors[at + 1] ?? node)];
    return [];
  });
}
