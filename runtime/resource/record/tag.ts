import { contentTag, tagDigits } from "../../values/api/content-tag.js";
import type { SeenRecord } from "../rights/view.js";
import type { Table } from "../table/table.js";

/** A record as it was read or written. */
export interface StoredRecord {
  readonly json: string;
  /** The version of the row, which every change replaces, whatever its origin. */
  readonly version: string;
}

/**
 * The record's entity tag. The row's version alone would miss changed file details, and would be equal for two callers
 * who see different fields. The text alone would repeat when an earlier state returns.
 */
export function tagOf({ json, version }: StoredRecord): string {
  return contentTag(version + json);
}

/** A control character that no JSON text contains. */
const separator = "\x1e";
const taggedEnd = new RegExp(`${separator}("[^"]*")`, "g");

/** SQL over one row of the table: the shown parts of its record, followed by the tag of the whole record. */
export function taggedSql(seen: SeenRecord, shown: string | null): string {
  return `(${shown ?? seen.record}) || chr(${separator.charCodeAt(0)}) || ${tagSql(seen)}`;
}

/** Removes the tags from texts made by `taggedSql`: one in each, or several separated by commas. */
export function splitTagged(texts: readonly string[]): {
  readonly texts: string[];
  readonly tags: string[];
} {
  const tags: string[] = [];
  const untagged = texts.map((text) =>
    text.replace(taggedEnd, (_, tag: string) => {
      tags.push(tag);
      return "";
    }),
  );
  return { texts: untagged, tags };
}

/** SQL over one row of the table: `tagOf` its record. */
export function tagSql({ table, record }: SeenRecord): string {
  const text = `${versionSql(table)} || ${record}`;
  return `'"' || left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), ${tagDigits}) || '"'`;
}

/** SQL over one row of the table: its version, which is empty if rows have none. */
export function versionSql({
  name,
  unversioned,
}: Pick<Table<never>, "name" | "unversioned">): string {
  return unversioned === true ? "''" : `${name}.xmin::text`;
}
