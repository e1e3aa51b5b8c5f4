import { z } from "zod";
import { didYouMean } from "../../../runtime/values/nearest.js";
import type { WrittenAccess, WrittenChanges } from "../descriptor.js";
import { readOptions, type Subject } from "../issues.js";
import { isMap } from "../shape.js";
import type { DescriptorIssue } from "../source.js";

/** Maximum number of days that histories can be kept: ten years. */
export const maxHistoryDays = 3650;

/** The value of `changes` if it is a map. */
export const changesShape = z
  .strictObject({
    history: z
      .int("must be a whole number of days")
      .min(1, `must be from 1 to ${maxHistoryDays} days`)
      .max(maxHistoryDays, `must be from 1 to ${maxHistoryDays} days`)
      .describe("Days for which each record's history is kept."),
  })
  .describe("Logs every change, and keeps each record's history.");

const example = "changes: { history: 400 }";

interface ReadChanges {
  readonly changes: WrittenChanges | null;
  readonly issues: readonly DescriptorIssue[];
}

/** Reads `changes`: true, or a map with the number of days for which histories are kept. */
export function readChanges(written: unknown): ReadChanges {
  if (written === undefined) return { changes: null, issues: [] };
  if (written === true) return { changes: { history: null }, issues: [] };
  if (!isMap(written)) return { changes: null, issues: [malformed(written)] };
  const { issues } = readOptions(changesShape, written, subject);
  const { success, data } = changesShape.safeParse(written);
  return { changes: success ? data : null, issues };
}

/** Returns the issues of an access rule for histories in a resource that keeps none. */
export function historyIssues(
  access: WrittenAccess,
  changes: WrittenChanges | null,
): readonly DescriptorIssue[] {
  if (access.history === undefined || (changes !== null && changes.history !== null)) return [];
  return [
    {
      path: ["access", "history"],
      at: "key",
      message: '"history" has a rule, but no history is kept',
      hint: `write ${example}, or remove the rule`,
    },
  ];
}

function malformed(written: unknown): DescriptorIssue {
  const at = { path: ["changes"], at: "value" } as const;
  if (written === null) {
    return { ...at, message: '"changes" is empty', hint: "write a value for it, or remove it" };
  }
  const hint =
    written === false ? "remove it to turn off the change log" : `for example ${example}`;
  return { ...at, message: '"changes" must be true or a map with history', hint };
}

const keys = Object.keys(changesShape.shape);

const subject: Subject = {
  name: `"changes"`,
  part: "key",
  path: ["changes"],
  example,
  hintFor: (key) => didYouMean(key, keys) ?? "its only key is history, in days",
};
