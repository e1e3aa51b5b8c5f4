import { refuse } from "../../errors/index.js";
import type { Answer, Context, Row } from "../../http/index.js";
import { highlightsOf } from "../query/words/highlight.js";
import { maxPageBytes } from "../record/page-text.js";
import { accessOf } from "../record/read.js";
import { splitTagged } from "../record/tag.js";
import type { View } from "../rights/view.js";
import { isSearched } from "./cost.js";
import type { Listing } from "./listing.js";
import { maxTotal } from "./ranked.js";
import { longStatementOf } from "./statement.js";

/** Creates the response to a list from the row of its statement. */
export async function answerOf(
  { view, listing }: Pick<LongList, "view" | "listing">,
  row: Row,
  context: Context,
): Promise<Answer> {
  const { data = null } = row;
  const records = data === null ? [] : [data];
  const { texts, end } = await pageTexts({ view, listing }, { row, records }, context);
  return { status: 200, json: `{"data":[${texts[0] ?? ""}${end}` };
}

/** A list whose page is too long for one text, with the parameter values of its statement. */
export interface LongList {
  readonly view: View;
  readonly listing: Listing;
  readonly values: readonly unknown[];
}

/**
 * Creates the response to a list whose page has `bytes` bytes. The page is read again, record by record, when the
 * response reaches the head of the queue of long texts. Refuses the request if the page is too long.
 */
export function longAnswer(long: LongList, bytes: number, context: Context): Answer {
  const { view, listing, values } = long;
  if (listing.perPage > 1) checkBytes(bytes);
  const make = async () => {
    const text = longStatementOf(view, listing);
    // Planning again costs little compared with reading the page.
    const search = isSearched(listing) && ({ isSearch: true } as const);
    const plan = { text, values, cost: "scan", isVaried: true, ...search } as const;
    const rows = await accessOf(context, view).read<Row>(plan);
    const [first = {}] = rows;
    if (listing.perPage > 1) checkBytes(Number(first.bytes));
    const records = rows.flatMap(({ record = null }) => record ?? []);
    const { texts, end } = await pageTexts({ view, listing }, { row: first, records }, context);
    return [`{"data":[`, ...texts.flatMap((one, at) => (at === 0 ? [one] : [",", one])), end];
  };
  return { status: 200, json: null, long: { bytes, make } };
}

function checkBytes(bytes: number): void {
  if (bytes <= maxPageBytes) return;
  const megabytes = maxPageBytes / 1024 / 1024;
  const message = `The records of this page take more than ${megabytes} MB: request fewer`;
  refuse("BAD_PARAMETERS", { issues: [{ param: "perPage", message }] });
}

/** Returns the texts of a list's records, and the JSON text that follows them. */
async function pageTexts(
  { view, listing }: Pick<LongList, "view" | "listing">,
  { row, records }: { readonly row: Row; readonly records: readonly string[] },
  context: Context,
): Promise<{ readonly texts: readonly string[]; readonly end: string }> {
  const { isTagged, highlight } = listing;
  const { texts, tags } = isTagged ? splitTagged(records) : { texts: records, tags: null };
  const highlights =
    highlight === null ? null : await highlightsOf(highlight, { view, ids: idsOf(texts) }, context);
  const meta = {
    ...metaOf(listing, row),
    ...(tags !== null && { etags: tags }),
    ...(highlights !== null && { highlights }),
  };
  return { texts, end: `],"meta":${JSON.stringify(meta)}}` };
}

function idsOf(texts: readonly string[]): readonly string[] {
  const records: readonly { readonly id: string }[] = JSON.parse(`[${texts.join(",")}]`);
  return records.map(({ id }) => id);
}

/** Returns the `meta` of the response, from the first row of either statement. */
function metaOf(listing: Listing, { total, next = null }: Row): object {
  const { perPage } = listing;
  if (listing.kind === "cursor") {
    return { perPage, next: next === null ? null : listing.cursorOf(JSON.parse(next)) };
  }
  const rows = Number(total);
  if (isSearched(listing) && rows > maxTotal) {
    const pages = { total: maxTotal, totalPages: Math.ceil(maxTotal / perPage), more: true };
    return { page: listing.page, perPage, ...pages };
  }
  return { page: listing.page, perPage, total: rows, totalPages: Math.ceil(rows / perPage) };
}
