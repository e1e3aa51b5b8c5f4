import { sqlLiteral } from "../../../values/sql/text.js";
import type { View } from "../../rights/view.js";
import { idColumn, plainName } from "../../table/column-keys.js";
import type { Condition, Reading } from "../condition.js";
import { noRecord } from "../condition.js";
import type { Reach } from "../reach.js";
import { maxSearchCharacters, parseSearch } from "./terms.js";

/** The words for which a request searches, as SQL. */
export interface Search {
  /** The table with the words. */
  readonly words: string;
  /** A `select` of the queries: `exact`, `stemmed` and `prefixed`. */
  readonly queries: string;
}

/** Whether a search was sent; a blank one does not count. */
export function isSearch(sent: string | undefined): sent is string {
  return sent !== undefined && sent.trim() !== "";
}

/**
 * Reads the search of a list; null if the caller may not read any searched field, or the text is too long. Resources
 * without a word index do not have this parameter.
 */
export function readSearch(view: View, sent: string, { issues, reach }: Reading): Search | null {
  const { words, ...table } = view.table;
  if (words === undefined) {
    issues.reject("search", "Unknown parameter");
    return null;
  }
  if ([...sent].length > maxSearchCharacters) {
    issues.reject("search", `At most ${maxSearchCharacters} characters`);
    return null;
  }
  const groups = readableGroups(view, reach);
  if (groups.length === 0) return null;
  reach.values.push(JSON.stringify(parseSearch(sent)));
  const query = `$${reach.values.length}::jsonb`;
  const name = sqlLiteral(plainName(table));
  return {
    words: words.name,
    queries: `select * from service.word_queries(${name}, '{${groups.join(",")}}', ${query})`,
  };
}

/** The groups of searched fields that the caller may read in any record. */
function readableGroups({ table, columns }: View, reach: Reach): readonly number[] {
  const groups = Object.entries(table.words?.fields ?? {}).flatMap(([name, field]) => {
    const { group, link } = field;
    if (link === undefined) return Object.hasOwn(columns, name) ? [group] : [];
    if (!Object.hasOwn(columns, link)) return [];
    const target = reach.see(field.table, "list");
    return Object.hasOwn(target.columns, field.field ?? "") ? [group] : [];
  });
  return [...new Set(groups)].sort((one, other) => one - other);
}

/** The condition that records match the search. */
export function searchCondition(
  view: View,
  sent: string | undefined,
  reading: Reading,
): readonly Condition[] {
  if (!isSearch(sent)) return [];
  const search = readSearch(view, sent, reading);
  if (search === null) return [noRecord];
  const { words, queries } = search;
  const query = `(select prefixed from (${queries}) as _query)`;
  const sql = `${idColumn(view.table)} in (select id from ${words} where vector @@ ${query})`;
  return [{ sql, count: null, index: "rows", isSearch: true }];
}
