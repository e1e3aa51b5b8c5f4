import type { Issues, Row } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import { readConditions } from "../query/conditions.js";
import { readShown } from "../query/include.js";
import type { ListParameters } from "../query/list-parameters.js";
import { readOrder } from "../query/order.js";
import type { Reach } from "../query/reach.js";
import { taggedSql } from "../record/tag.js";
import type { View } from "../rights/view.js";
import { type CursorList, cursorAfter, placeOf } from "./cursor.js";
import { type CursorListing, cursorStatement, longCursorStatement } from "./cursor-page.js";
import { quickStatementOf, repeatedSearchOf } from "./few-rows.js";
import { type Place, rowsAfter } from "./keyset.js";
import type { Listing } from "./listing.js";
import { listStatement, longListStatement } from "./page.js";
import { metaOfPage } from "./total.js";

/** A query of a list, checked against the table. */
export interface CheckedList {
  readonly listing: Listing;
  readonly values: readonly unknown[];
  /** One statement for the page; that of a long page returns each record in its own row. */
  readonly statement: () => string;
  readonly longStatement: () => string;
  /** A statement that is quick at any size, and answers where only a few rows meet the conditions; null without one. */
  readonly quickStatement: (() => string) | null;
  /**
   * A prepared statement for the next time, if few rows are found; it answers unless they are many by then. Null without
   * one.
   */
  readonly repeatedStatement: (() => string) | null;
  /** The answer's `meta`, by the first row of either. */
  metaOf(row: Row): object;
}

const newestFirst = ["-createdAt"];

interface Reader {
  readonly issues: Issues;
  readonly reach: Reach;
  readonly services: Services;
}

/** Checks a list's parameters against the table; adds what is wrong with them to the issues. */
export function checkList(
  view: View,
  requested: ListParameters,
  { issues, reach, services }: Reader,
): CheckedList {
  const { perPage, cursor } = requested;
  const part = readShown(view, requested, { perPage, reach, issues });
  const shown = requested.etags ? taggedSql(view, part.sql) : part.sql;
  const form = requested.etags ? "varied" : part.form;
  const order = readOrder(view, requested.sort ?? newestFirst, { issues, reach });
  const { values } = reach;
  const conditions = readConditions(view, requested, { issues, reach });
  const isTagged = requested.etags;
  const listing = {
    perPage,
    shown,
    form,
    conditions,
    order,
    offset: null,
    skipped: 0,
    isTagged,
  } as const;
  if (cursor === undefined) return countedRequest(view, listing, requested.page ?? 1, values);
  if (requested.page !== undefined) issues.reject("page", "Cannot be combined with cursor");
  const list: CursorList = { resource: view.resource, order, conditions: requested };
  // With an invalid sort, no cursor belongs to this list.
  const isFirst = cursor === "" || order.keys.length === 0;
  const place = isFirst ? [] : placeOf(services, list, cursor);
  if (place === null) issues.reject("cursor", "Must be the cursor of a page of this very list");
  const after = rowsAfter(place?.length ? order.keys : [], place ?? [], values);
  const next = (to: Place) => cursorAfter(services, list, to);
  return cursorRequest(view, { ...listing, isCounted: false, after }, values, next);
}

function countedRequest(
  view: View,
  first: Omit<Listing, "isCounted">,
  page: number,
  values: unknown[],
): CheckedList {
  const { perPage } = first;
  const offset = page === 1 ? null : skip(page, perPage, values);
  const listing = { ...first, isCounted: true, offset, skipped: (page - 1) * perPage };
  return {
    listing,
    values,
    statement: () => listStatement(view, listing),
    quickStatement: quickStatementOf(view, listing),
    repeatedStatement: repeatedSearchOf(view, listing),
    longStatement: () => longListStatement(view, listing),
    metaOf: (row) => metaOfPage(row, page, perPage),
  };
}

function cursorRequest(
  view: View,
  listing: CursorListing,
  values: readonly unknown[],
  cursorOf: (place: Place) => string,
): CheckedList {
  const { perPage } = listing;
  return {
    listing,
    values,
    statement: () => cursorStatement(view, listing),
    quickStatement: null,
    repeatedStatement: null,
    longStatement: () => longCursorStatement(view, listing),
    metaOf: ({ next = null }) => ({
      perPage,
      next: next === null ? null : cursorOf(JSON.parse(next)),
    }),
  };
}

/** The number of rows before a page, as a text value: it may be larger than a JavaScript number can hold. */
function skip(page: number, perPage: number, values: unknown[]): string {
  values.push(String(BigInt(page - 1) * BigInt(perPage)));
  return `$${values.length}::bigint`;
}
