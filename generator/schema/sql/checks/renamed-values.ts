import type { Check } from "../../../../runtime/values/schema/check.js";
import { valuesOf, withValues } from "../../../../runtime/values/schema/renamed-value.js";
import { sqlLiteral } from "../../../../runtime/values/sql/text.js";
import type { Origins } from "../../changes/origins.js";

/** SQL of a value after the migration's renames. */
export function renamedSql(value: string, renamed: ReturnType<Origins["values"]>): string {
  if (renamed.length === 0) return value;
  const cases = renamed.map(([from, to]) => `when ${sqlLiteral(from)} then ${sqlLiteral(to)}`);
  return `case ${value} ${cases.join(" ")} else ${value} end`;
}

/** Returns the check for values that the migration has not renamed yet. */
export function withFormerValues(check: Check, renamed: ReturnType<Origins["values"]>): Check {
  const values = valuesOf({ check });
  if (values === null) return check;
  const former = renamed.flatMap(([one, now]) => (values.includes(now) ? [one] : []));
  return withValues(check, [...values, ...former]);
}
