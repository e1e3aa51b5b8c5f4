import type { Issues } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import { noRecord } from "../query/condition.js";
import { readConditions } from "../query/conditions.js";
import { readShown } from "../query/include.js";
import type { ListParameters } from "../query/list-parameters.js";
import { readOrder } from "../query/order.js";
import type { Reach } from "../query/reach.js";
import { readHighlight } from "../query/words/highlight.js";
import { isSearch, readSearch } from "../query/words/search.js";
import { taggedSql } from "../record/tag.js";
import type { View } from "../rights/view.js";
import { newestKey } from "../table/column-keys.js";
import { type CursorList, cursorAfter, placeOf } from "./cursor.js";
import { rowsAfter } from "./keyset.js";
import type { Listing } from "./listing.js";

/** Sorts the latest records first: ids of this package increase with time. */
function newestFirst(view: View): readonly string[] {
  return [`-${newestKey(view)}`];
}

interface Reader {
  readonly issues: Issues;
  readonly reach: Reach;
  readonly services: Services;
}

/** Checks a list's parameters against the table, and adds mistakes to the issues. */
export function readList(view: View, sent: ListParameters, reader: Reader): Listing {
  const { perPage, cursor, etags: isTagged } = sent;
  const { issues, reach } = reader;
  const part = readShown(view, sent, { perPage, reach, issues });
  const order = readOrder(view, sent.sort ?? newestFirst(view), { issues, reach });
  const isRanked = isSearch(sent.search) && sent.sort === undefined;
  const search = isRanked ? readSearch(view, sent.search, { issues, reach }) : null;
  const others = isRanked ? { ...sent, search: undefined } : sent;
  const conditions = [
    ...(isRanked && search === null ? [noRecord] : []),
    ...readConditions(view, others, { issues, reach }),
  ];
  if (isSearch(sent.search) && cursor !== undefined) {
    issues.reject("cursor", "Cannot be combined with search");
  }
  const shown = isTagged ? taggedSql(view, part.sql) : part.sql;
  const form = isTagged ? "varied" : part.form;
  const highlight = readHighlight(view, sent, issues);
  const listed = { perPage, shown, form, conditions, order, highlight, isTagged };
  if (cursor === undefined) return { ...listed, search, ...pageOf(sent, reach.values) };
  if (sent.page !== undefined) issues.reject("page", "Cannot be combined with cursor");
  const list: CursorList = { resource: view.resource, order, conditions: sent };
  return { ...listed, ...cursorOf(list, cursor, reader) };
}

function pageOf({ page = 1, perPage }: ListParameters, values: unknown[]) {
  const skipped = (page - 1) * perPage;
  const offset = page === 1 ? null : skip(page, perPage, values);
  return { kind: "numbered", page, offset, skipped } as const;
}

/** The number of rows before a page, passed as text because it may exceed JavaScript's safe integers. */
function skip(page: number, perPage: number, values: unknown[]): string {
  values.push(String(BigInt(page - 1) * BigInt(perPage)));
  return `$${values.length}::bigint`;
}

function cursorOf(list: CursorList, cursor: string, { issues, reach, services }: Reader) {
  const { keys } = list.order;
  // If the sort is invalid, no cursor belongs to this list.
  const isFirst = cursor === "" || keys.length === 0;
  const place = isFirst ? [] : placeOf(services, list, cursor);
  if (place === null) issues.reject("cursor", "Must be the cursor of a page of this list");
  const after = rowsAfter(place?.length ? keys : [], place ?? [], reach.values);
  return { kind: "cursor", after, cursorOf: cursorAfter(services, list) } as const;
}
