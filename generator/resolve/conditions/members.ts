import { readJsonTests } from "../../../runtime/values/json-condition/read.js";
import type { Path } from "../../../runtime/values/yaml/position.js";
import { isMap } from "../../descriptor/shape.js";
import type { Predicate } from "../../model/condition.js";
import type { ConditionIssues } from "./issues.js";
import type { Named } from "./place.js";

/** Reads the conditions on members of a field's values; each counts as one. */
export function readMembers(
  { column }: Named,
  { value, path }: { readonly value: unknown; readonly path: Path },
  issues: ConditionIssues,
): Predicate {
  const parts = readJsonTests(value).map((read): Predicate => {
    const written = [...path, ...[read.word, read.at].flatMap((part) => part ?? [])];
    issues.count(written);
    if ("problem" in read) {
      const what = read.problem.replace(/^: /, "cannot be used: ");
      return read.isKey === true
        ? issues.refuseKey(written, what, hint)
        : issues.refuse(written, what, hint);
    }
    const word = dollarWord(isMap(value) && read.word !== null ? value[read.word] : value);
    if (word === null) return { kind: "members", column, test: read.test };
    const what = `is compared with ${word}, which JSON fields do not support`;
    return issues.refuse(written, what, "write a value that does not begin with $");
  });
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "all", parts };
}

const hint = "write { has: { city: Oslo } }, or { at: city, eq: Oslo }";

/** Returns a string in the value that begins with `$`, as `$now` does in other conditions; null if there is none. */
function dollarWord(value: unknown): string | null {
  if (typeof value === "string") return value.startsWith("$") ? value : null;
  if (typeof value !== "object" || value === null) return null;
  for (const member of Object.values(value)) {
    const word = dollarWord(member);
    if (word !== null) return word;
  }
  return null;
}
