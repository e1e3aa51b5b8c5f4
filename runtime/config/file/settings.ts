import { z } from "zod";
import { nearest } from "../../values/nearest.js";
import type { Problem } from "../../values/problem.js";
import { type Settings, settingHints, settingsShape } from "../shape/shape.js";
import type { SettingsDocument } from "./document.js";

/** Returns the settings of a document, or null with every problem in it. */
export function readSettings(document: SettingsDocument): {
  readonly settings: Settings | null;
  readonly problems: readonly Problem[];
} {
  if (document.problems.length > 0) return { settings: null, problems: document.problems };
  const result = settingsShape.safeParse(document.value);
  const unset = new Set(document.unset.map(({ path }) => path.join(".")));
  const issues = (result.error?.issues ?? []).filter(({ path }) => !unset.has(path.join(".")));
  const problems = [
    ...document.unset.map(({ problem }) => problem),
    ...issues.flatMap((issue) => problemsOf(issue, document)),
  ];
  return { settings: result.data ?? null, problems: problems.sort(byPlace) };
}

/** Returns the unknown keys of a document, regardless of its other errors. */
export function unknownKeysIn(document: SettingsDocument): readonly Problem[] {
  const { error } = settingsShape.safeParse(document.value);
  return (error?.issues ?? [])
    .filter(({ code }) => code === "unrecognized_keys")
    .flatMap((issue) => problemsOf(issue, document));
}

function problemsOf(issue: z.core.$ZodIssue, document: SettingsDocument): readonly Problem[] {
  const subject = issue.path.length === 0 ? "service.yaml" : issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey([...issue.path, key], document));
  }
  if (issue.code === "invalid_key") {
    const message = issue.issues[0]?.message ?? issue.message;
    return [document.problemAtKey(issue.path, `${subject} ${message}`)];
  }
  const hint = settingHints[issue.message] ?? null;
  return [document.problemAt(issue.path, `${subject} ${issue.message}`, hint)];
}

function unknownKey(path: readonly PropertyKey[], document: SettingsDocument): Problem {
  const known = keysAt(settingsShape, path.slice(0, -1));
  const guess = nearest(String(path.at(-1)), known);
  return document.problemAtKey(
    path,
    `${path.join(".")} is not a setting`,
    guess === null ? `known here: ${known.join(", ")}` : `did you mean "${guess}"?`,
  );
}

function keysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodPipe) return keysAt(schema.out, path);
  if (schema instanceof z.ZodOptional) return keysAt(schema.unwrap(), path);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return [...new Set(schema.options.flatMap((option) => keysAt(option, path)))];
  }
  const [step, ...rest] = path;
  if (schema instanceof z.ZodRecord)
    return step === undefined ? [] : keysAt(schema.valueType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  if (step === undefined) return Object.keys(schema.shape);
  return keysAt(schema.shape[String(step)] ?? schema.def.catchall, rest);
}

function byPlace(one: Problem, other: Problem): number {
  return one.line - other.line || one.column - other.column;
}
