/** The maximum size of a page of several records in bytes: 100 records of 160 kB. */
export const maxPageBytes = 16 * 1024 * 1024;

/**
 * The maximum size in bytes of a page that the first statement returns. Most pages take a few kilobytes. For longer
 * ones only the size is returned, so that the server does not hold them longer than needed.
 */
const quickPageBytes = 1024 * 1024;

/**
 * SQL for the page's records as one text; null if there are none. A text longer than `quickPageBytes` is replaced by
 * its length in bytes, which is distinguishable because records begin with a brace.
 */
export function pageOf(rows: string): string {
  return textOfPage(`select string_agg(_json, ',') as records from (${rows}) as page`);
}

/** SQL for the `records` of the single row, or their length. */
export function textOfPage(aggregated: string): string {
  return `(
    select
      case when octet_length(records) > ${quickPageBytes}
      then octet_length(records)::text
      else records
      end
    from (${aggregated}) as page
  )`;
}

/** Returns the size of a page that is too long for the first statement, from its `data`; null for other pages. */
export function longPageBytes(data: string | null): number | null {
  return data === null || data.startsWith("{") ? null : Number(data);
}
