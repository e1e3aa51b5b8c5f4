import type { WrittenAccess } from "../descriptor.js";
import type { DescriptorIssue } from "../source.js";

/** Number of days for which `trash: true` keeps deleted records. */
const usualDays = 30;

/** Maximum number of days that deleted records can be kept: ten years. */
export const maxTrashDays = 3650;

interface ReadTrash {
  /** Days; null if deleted records are not kept. */
  readonly trash: number | null;
  readonly issues: readonly DescriptorIssue[];
}

/** Reads `trash`: true, or a number of days. */
export function readTrash(written: unknown): ReadTrash {
  if (written === undefined) return { trash: null, issues: [] };
  if (written === true) return { trash: usualDays, issues: [] };
  const isDays = typeof written === "number" && Number.isInteger(written);
  if (isDays && written >= 1 && written <= maxTrashDays) return { trash: written, issues: [] };
  return { trash: null, issues: [malformed(written)] };
}

/** Returns the issues of an access rule for the trash in a resource without one. */
export function purgeIssues(access: WrittenAccess, written: unknown): readonly DescriptorIssue[] {
  if (access.purge === undefined || written !== undefined) return [];
  return [
    {
      path: ["access", "purge"],
      at: "key",
      message: '"purge" has a rule, but there is no trash to delete from',
      hint: "write trash: true, or remove the rule: delete has the rule for permanent deletion",
    },
  ];
}

function malformed(written: unknown): DescriptorIssue {
  const at = { path: ["trash"], at: "value" } as const;
  if (written === null) {
    return { ...at, message: '"trash" is empty', hint: "write a value for it, or remove it" };
  }
  if (written === false) {
    const hint = "remove it: without it, records are deleted permanently";
    return { ...at, message: '"trash" must be true or a number of days', hint };
  }
  const message = `"trash" must be true or a whole number of days from 1 to ${maxTrashDays}`;
  return { ...at, message, hint: "for example trash: 30" };
}
