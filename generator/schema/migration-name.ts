import { createHash } from "node:crypto";
import type { Change } from "./change.js";

/** The name of the migration after others: `0002_create_orders_and_2_more`. */
export function nextName(
  names: readonly string[],
  changes: readonly Change[],
  what: string | null,
): string {
  const numbers = names.map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger);
  const number = String(Math.max(0, ...numbers) + 1).padStart(4, "0");
  return `${number}_${what ?? summary(changes)}`;
}

/** Characters; longer summaries end in a digest. */
const longestSummary = 60;

function summary(changes: readonly Change[]): string {
  const created = changes.flatMap((change) =>
    change.kind === "createTable" ? [change.table.name] : [],
  );
  const [first = "nothing", ...others] = created;
  const more = others.length === 0 ? "" : `_and_${others.length}_more`;
  const text = `create_${first}${more}`;
  if (text.length <= longestSummary) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return `${text.slice(0, longestSummary - 9)}_${digest}`;
}
