import { byText } from "./by-text.js";

/**
 * SQL for a subquery of one row. A statement that selects from it commits without waiting for the disk or a standby: a
 * crash of PostgreSQL may lose the commits of the last second. PostgreSQL evaluates the subquery because it is
 * volatile.
 */
export const unwaited = "(select set_config('synchronous_commit', 'off', true)) as unwaited";

const waitsByText = byText<boolean>();

/**
 * Whether the commit of a statement may wait for a standby, as after a write or a row lock. A text that only looks like
 * a write counts as one. Writes by functions are not detected, except for the package's.
 */
export function mayWaitForStandby(text: string): boolean {
  return waitsByText(text, () => writing.test(text) && !text.includes(unwaited));
}

const writing = new RegExp(
  [
    String.raw`\b(?:insert|merge)\s+into\b`,
    String.raw`\bdelete\s+from\b`,
    String.raw`\bupdate\s+\S+(?:\s+(?:as\s+)?\S+)?\s+set\b`,
    String.raw`\bfor\s+(?:no\s+key\s+|key\s+)?(?:update|share)\b`,
    String.raw`\bservice\.(?:claim_jobs|forget_changes|sequence_changes)\(`,
  ].join("|"),
  "i",
);
