import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { foldText } from "../../../../values/text.js";
import { readerNumbers } from "../../text/figures.js";
import type { Session } from "../account/session.js";
import { call } from "../client/client.js";
import type { Account, Field, Page, Resource, Row } from "../client/types.js";
import { titleField, titleOf } from "./descriptors.js";
import { asListed, isNumber, isShort, isString } from "./fields.js";
import { namingParams, type Params } from "./naming.js";
import { type Highlights, searchParam } from "./words.js";

/** Maximum number of records in the result of a search. */
export const maxFound = 30;
/** Maximum number of records of one resource that a jump offers. */
export const maxJumped = 5;
const longestTerm = 200;

/** The result of a search for a related record. */
export interface FoundRecords {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** Returns another value, which distinguishes records with the same title. */
  readonly detailOf: (row: Row) => string | undefined;
  /** The words found; only for a search by words. */
  readonly highlights?: Highlights;
}

/** Searches for records by a term; loads ids, titles and one more field. */
export function searchQuery(session: Session, name: string, term: string) {
  const { user, resources, operator } = session;
  const resource = resources.find((one) => one.name === name);
  const searched = term.slice(0, longestTerm);
  return queryOptions({
    queryKey: [user.id, "resource", name, "search", searched],
    queryFn: ({ signal }): Promise<FoundRecords> => {
      if (resource !== undefined)
        return findRecords(resource, { term: searched, most: maxFound }, signal);
      return operator ? findAccounts(searched, signal) : Promise.resolve(onlyMe(session, searched));
    },
    staleTime: 30_000,
  });
}

/** Returns a record that a search has found; null if none has. */
export function searchedRecord(
  client: QueryClient,
  [account, resource]: readonly [account: string, resource: string],
  id: unknown,
): Row | null {
  const queryKey = [account, "resource", resource, "search"];
  const searches = client.getQueriesData<FoundRecords>({ queryKey });
  const rows = searches.flatMap(([, found]) => found?.rows ?? []);
  return rows.find((row) => row.id === id) ?? null;
}

/** Loads the few records of a resource that match a jump; `highlight` also requests the words found. */
export function jumpQuery(
  account: string,
  resource: Resource,
  { term, highlight }: { readonly term: string; readonly highlight: Params },
) {
  const searched = term.slice(0, longestTerm);
  return queryOptions({
    queryKey: [account, "resource", resource.name, "search", "jump", searched],
    queryFn: ({ signal }) =>
      searchParam(resource) === "search"
        ? findByWords(resource, { term: searched, highlight }, signal)
        : findRecords(resource, { term: searched, most: maxJumped }, signal),
    staleTime: 30_000,
  });
}

/** Loads the record that has these unique values; null if the caller may not see it. */
export function holderQuery(
  account: string,
  resource: string,
  values: Readonly<Record<string, unknown>>,
) {
  const named = Object.entries(values).map(([field, value]) => [`field:${field}`, value]);
  const query = new URLSearchParams({
    // `where` instead of `filter`, in which the text "null" would not be a value.
    where: JSON.stringify(Object.fromEntries(named)),
    cursor: "",
    perPage: "1",
    fields: "id",
  });
  return queryOptions({
    queryKey: [account, "resource", resource, "search", "taken", query.toString()],
    queryFn: async ({ signal }) => {
      const path = `/${resource}?${query}`;
      const { data } = await call<{ data: readonly Row[] }>("GET", path, { signal });
      return data[0]?.id ?? null;
    },
    staleTime: 0,
  });
}

async function findRecords(
  resource: Resource,
  { term, most }: { readonly term: string; readonly most: number },
  signal: AbortSignal,
): Promise<FoundRecords> {
  const title = titleField(resource);
  const detail = detailField(resource, title);
  const query = new URLSearchParams({
    // Pages by cursor compute no total.
    cursor: "",
    perPage: String(most),
    ...Object.fromEntries(namingParams(resource, [detail])),
    // Unique fields have an index, so sorting by them is fast.
    ...(title?.unique === true ? { sort: title.name } : {}),
    ...conditionOf(title, term),
  });
  const page = await call<{ data: readonly Row[]; meta: { next: string | null } }>(
    "GET",
    `/${resource.name}?${query}`,
    { signal },
  );
  const detailOf = detailsOf(resource, page.data);
  return { rows: page.data, hasMore: page.meta.next !== null, detailOf };
}

async function findByWords(
  resource: Resource,
  { term, highlight }: { readonly term: string; readonly highlight: Params },
  signal: AbortSignal,
): Promise<FoundRecords> {
  const detail = detailField(resource, titleField(resource));
  const query = new URLSearchParams({
    search: term,
    perPage: String(maxJumped),
    ...Object.fromEntries([...namingParams(resource, [detail]), ...highlight]),
  });
  const { data, meta } = await call<Page<Row>>("GET", `/${resource.name}?${query}`, { signal });
  return {
    rows: data,
    hasMore: meta.total > data.length,
    detailOf: detailsOf(resource, data),
    highlights: meta.highlights ?? {},
  };
}

/** Number of id digits that distinguish otherwise equal records. */
const idDigits = 4;

/**
 * Returns what distinguishes these records: a value of each, and the end of its id if another one has the same title
 * and value.
 */
export function detailsOf(resource: Resource, rows: readonly Row[]): FoundRecords["detailOf"] {
  const detail = detailField(resource, titleField(resource));
  const detailIn = (row: Row) => {
    const value = detail === null ? null : row[detail.name];
    const isEmpty = detail === null || value === null || value === undefined || value === "";
    return isEmpty ? null : asListed(detail, value);
  };
  const lineOf = (row: Row) => JSON.stringify([titleOf(resource, row), detailIn(row)]);
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(lineOf(row), (counts.get(lineOf(row)) ?? 0) + 1);
  return (row) => {
    const end = (counts.get(lineOf(row)) ?? 0) > 1 ? `…${row.id.slice(-idDigits)}` : null;
    const parts = [detailIn(row), end].filter((part) => part !== null);
    return parts.length === 0 ? undefined : parts.join(" · ");
  };
}

/** Returns the condition for a term; `q` searches only strings. */
function conditionOf(title: Field | null, term: string): Readonly<Record<string, string>> {
  if (term === "") return {};
  if (title === null || !isNumber(title)) return { q: term };
  const read = readerNumbers.read(term);
  // An ambiguous number finds the records of each interpretation, because a search stores nothing.
  const meant = read.kind === "unclear" ? read.values : [];
  const wanted = read.kind === "number" ? [read.value] : meant;
  const or = wanted.map((value) => ({ [`field:${title.name}`]: value }));
  return { where: JSON.stringify({ or }) };
}

function detailField({ list = [], fields }: Resource, title: Field | null): Field | null {
  const shown = fields.filter((field) => field.readable !== false && isShort(field));
  const others = shown.filter((field) => field !== title);
  return (
    others.find(({ format }) => format === "email") ??
    others.find(({ name }) => list.includes(name)) ??
    others.find(isString) ??
    others[0] ??
    null
  );
}

async function findAccounts(term: string, signal: AbortSignal): Promise<FoundRecords> {
  const query = new URLSearchParams({
    perPage: String(maxFound),
    sort: "name",
    ...(term === "" ? {} : { q: term }),
  });
  const path = `/_service/accounts?${query}`;
  const { data, meta } = await call<Page<Account>>("GET", path, { signal });
  return {
    rows: data.map(({ id, name, email }) => ({ id, name, email })),
    hasMore: meta.total > data.length,
    detailOf: ({ email }) => String(email),
  };
}

/** Returns only the signed-in account, because only operators may see other accounts. */
function onlyMe({ user }: Session, term: string): FoundRecords {
  const isMatch = foldText(user.name).includes(foldText(term));
  return {
    rows: isMatch ? [{ id: user.id, name: user.name, email: user.email }] : [],
    hasMore: false,
    detailOf: ({ email }) => String(email),
  };
}
