import type { Problem } from "../../values/problem.js";
import { keysAt, nearestWritten, type Path, type Position } from "../../values/yaml/position.js";
import { readYaml } from "../../values/yaml/read.js";
import type { Environment } from "../environment/environment.js";
import { type FormerName, isWrittenTwice, withCurrentNames } from "./former.js";
import { interpolate, replaceTexts } from "./interpolation.js";
import { conflictProblem, notationProblems } from "./notation.js";
import { file, readText } from "./text.js";
import { isOverridden, missingVariables } from "./unset.js";

/** `service.yaml` as plain values with its variables replaced, and the position of each value. */
export interface SettingsDocument {
  readonly value: unknown;
  /** Syntax errors; if there are any, the value is undefined. */
  readonly problems: readonly Problem[];
  /** Values that refer to unset variables without a default. */
  readonly unset: readonly UnsetValue[];
  /** Settings written under a former name; the value uses the current names. */
  readonly renamed: readonly FormerName[];
  /** The keys of the map at that path, in the order of the file: JavaScript objects put integers first. */
  keysAt(path: readonly PropertyKey[]): readonly string[];
  /** Returns a problem at the value of that path; for a missing value, at the nearest key above it. */
  problemAt(path: readonly PropertyKey[], message: string, hint?: string | null): Problem;
  /** Returns a problem at the last key of that path. */
  problemAtKey(path: readonly PropertyKey[], message: string, hint?: string | null): Problem;
}

/** A value that is missing because it refers to an unset variable. */
export interface UnsetValue {
  readonly path: readonly PropertyKey[];
  readonly problem: Problem;
}

/** Reads and parses `<root>/service.yaml`. If the file is unreadable, there is a problem and the value is undefined. */
export function readDocument(root: string, environment: Environment): SettingsDocument {
  const { text, refused } = readText(root);
  const spoilt = refused ?? conflictProblem(text);
  const { value: written, positions, mistakes } = readYaml(spoilt === null ? text : "");
  const problems = spoilt === null ? [...notationProblems(mistakes, text)] : [spoilt];
  const unset: UnsetValue[] = [];

  const problemAtKey: SettingsDocument["problemAtKey"] = (path, message, hint = null) => {
    const nearest = nearestWritten(positions, stepsOf(path));
    return { file, ...(nearest?.written.key ?? start), message, hint };
  };
  const problemAt: SettingsDocument["problemAt"] = (path, message, hint = null) => {
    const nearest = nearestWritten(positions, stepsOf(path));
    if (nearest === null || isHolder(valueAt(written, nearest.path))) {
      return problemAtKey(path, message, hint);
    }
    return { file, ...nearest.written.value, message, hint };
  };
  const replace = (source: string, path: Path): string | undefined => {
    if (!source.includes("${")) return source;
    const { text: replaced, unset: names, wellFormed } = interpolate(source, environment);
    if (!wellFormed) problems.push(problemAt(path, malformed.message, malformed.hint));
    if (names.length > 0) {
      if (isOverridden(path, source, environment)) return undefined;
      const { message, hint } = missingVariables(path, names);
      unset.push({ path, problem: problemAt(path, message, hint) });
    }
    return replaced;
  };

  const { value, renamed } = withCurrentNames(replaceTexts(written, replace) ?? {});
  for (const name of renamed.filter((one) => isWrittenTwice(written, one))) {
    const [former, current] = [`${name.section}.${name.former}`, `${name.section}.${name.current}`];
    const message = `${former} is the former name of ${current}, which is set too`;
    problems.push(problemAtKey([name.section, name.former], message, `remove ${former}`));
  }
  const asWritten = (path: readonly PropertyKey[]) => {
    const name = renamed.find(({ section, current }) => `${section}.${current}` === path.join("."));
    return name === undefined ? path : [name.section, name.former];
  };
  return {
    value: problems.length === 0 ? value : undefined,
    problems,
    unset,
    renamed,
    keysAt: (path) => keysAt(positions, stepsOf(path)),
    problemAt: (path, ...rest) => problemAt(asWritten(path), ...rest),
    problemAtKey: (path, ...rest) => problemAtKey(asWritten(path), ...rest),
  };
}

const start: Position = { line: 1, column: 1 };

const malformed = {
  message: "`${` does not begin a variable",
  hint: `write \${NAME} or \${NAME:-default}`,
};

function stepsOf(path: readonly PropertyKey[]): Path {
  return path.map((step) => (typeof step === "number" ? step : String(step)));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (holder, step) => (isHolder(holder) ? holder[step] : undefined),
    value,
  );
}

/** Whether a value is a map or a list. */
function isHolder(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === "object" && value !== null;
}
