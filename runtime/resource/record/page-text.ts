/** The longest page of several records in bytes: 100 records of 160 kB. */
export const maxPageBytes = 16 * 1024 * 1024;

/**
 * Bytes up to which the first statement answers a page. Most pages take a few kilobytes; of a longer one only the size
 * is returned, so that the server holds it no sooner than needed.
 */
const quickPageBytes = 1024 * 1024;

/**
 * The page's records as one text; null if there are none. A text longer than `quickPageBytes` is replaced by its length
 * in bytes; records begin with a brace.
 */
export function pageOf(rows: string): string {
  return textOfPage(`select string_agg(_json, ',') as records from (${rows}) as page`);
}

/** The one row's `records`, or their length. */
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

/** The size of a page that is too long for the first statement, from its `data`; null for any other. */
export function longPageBytes(data: string | null): number | null {
  return data === null || data.startsWith("{") ? null : Number(data);
}
