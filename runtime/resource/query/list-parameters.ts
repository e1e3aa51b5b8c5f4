import type { Parameters } from "../../http/index.js";
import { type ConditionParameters, takeConditions } from "./conditions.js";
import { type IncludeParameters, takeIncludes } from "./include-parameters.js";

/** A list's query as plain values, identical from a URL and from a body. */
export interface ListParameters extends ConditionParameters {
  readonly page?: number | undefined;
  readonly perPage: number;
  /** The cursor; empty for the first page, undefined for numbered pages. */
  readonly cursor?: string | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly include?: readonly IncludeParameters[] | undefined;
  /** The fields for which the response highlights matched words. */
  readonly highlight?: readonly string[] | undefined;
  /** Whether the response has the records' ETags. */
  readonly etags: boolean;
  /** Whether the response has the position in the change log. */
  readonly position?: boolean | undefined;
}

export const pageRange = { min: 1, max: Number.MAX_SAFE_INTEGER, default: undefined };
export const perPageRange = { min: 1, max: 100, default: 25 };

/** The maximum length of a cursor in a URL, in characters; a longer one must be sent in a body. */
const maxAddressCursor = 4_000;

/** Removes a list's parameters from the query string and returns them. */
export function takeList(parameters: Parameters): ListParameters {
  const cursor = parameters.take("cursor");
  if (cursor !== undefined && cursor.length > maxAddressCursor) {
    const message = `Longer than ${maxAddressCursor} characters: send it to _query`;
    parameters.reject("cursor", message);
  }
  return {
    ...takeConditions(parameters),
    page: parameters.takeInteger("page", pageRange),
    perPage: parameters.takeInteger("perPage", perPageRange),
    cursor,
    sort: parameters.takeList("sort"),
    fields: parameters.takeList("fields"),
    include: takeIncludes(parameters),
    highlight: parameters.takeList("highlight"),
    etags: parameters.takeFlag("etags") ?? false,
    position: parameters.takeFlag("position"),
  };
}
