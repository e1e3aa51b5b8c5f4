import { visitor } from "../../own-code/index.js";
import { isPublicRule } from "../../values/access-rule.js";
import { isOpenTo } from "../rights/rules.js";
import type { Column, Table } from "../table/table.js";

/** The `Cache-Control` of the table's responses to anonymous callers. */
export function publicCaching(table: Table<never>): string {
  const { cache, access } = table;
  if (!isPublicRule(access.list) && !isPublicRule(access.get)) return "no-cache";
  // URLs of private files expire, and are signed for one user.
  if (showsPrivateFiles(table)) return "private, no-cache";
  return cache === undefined ? "no-cache" : `public, max-age=0, s-maxage=${cache}`;
}

/**
 * Whether a record of the table, or a public record that its responses may include, shows a private file to anonymous
 * callers.
 */
function showsPrivateFiles(table: Table<never>): boolean {
  const known = new Set<Table<never>>();
  const waiting = [table];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (known.has(one)) continue;
    known.add(one);
    const columns = Object.values<Column>(one.columns);
    if (columns.some(({ isPrivate, read }) => isPrivate && isOpenTo(read, visitor.role)))
      return true;
    const links = Object.values(one.links ?? {}).flatMap((each) => each.table?.() ?? []);
    const inverses = Object.values(one.inverses ?? {}).map((each) => each.table());
    waiting.push(
      ...links.filter(({ access }) => isPublicRule(access.get)),
      ...inverses.filter(({ access }) => isPublicRule(access.list)),
    );
  }
  return false;
}
