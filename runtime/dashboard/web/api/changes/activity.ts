import { queryOptions } from "@tanstack/react-query";
import { call } from "../client/client.js";
import { brief } from "../client/freshness.js";
import { pagesOf } from "../client/pages.js";
import type { AccountEvent, Page, Resource, Row } from "../client/types.js";
import { type Job, jobFilters, jobsPath } from "../jobs/queries.js";
import { hasTime, may } from "../records/descriptors.js";
import { type Delivery, deliveriesPath, type Webhook, webhooksPath } from "../webhooks/queries.js";

/** Maximum number of items read from each list by cursor: five requests. */
const mostRead = 500;
/** Maximum number of concurrent requests. */
const atOnce = 4;

export function activityKey(account: string): readonly string[] {
  return [account, "activity"];
}

/**
 * The activity of a resource's records; a value is null if the resource has no such time, or the caller may not see it.
 */
export interface RecordActivity {
  readonly resource: Resource;
  readonly created: number | null;
  readonly changed: number | null;
  readonly deleted: number | null;
}

/** Returns the conditions of two lists: records created since a time, and older records changed since then. */
export function sinceParams(
  resource: Resource,
  since: string,
): {
  readonly created: Readonly<Record<string, string>> | null;
  readonly changed: Readonly<Record<string, string>> | null;
} {
  const hasCreated = hasTime(resource, "createdAt");
  return {
    created: hasCreated ? { "filter[createdAt][gte]": since } : null,
    changed: hasTime(resource, "updatedAt")
      ? {
          "filter[updatedAt][gte]": since,
          ...(hasCreated ? { "filter[createdAt][lt]": since } : {}),
        }
      : null,
  };
}

/** Loads the resources with new, changed or deleted records. */
export function recordActivityQuery(
  account: string,
  resources: readonly Resource[],
  since: string,
) {
  return queryOptions({
    queryKey: [...activityKey(account), "records", since],
    queryFn: async ({ signal }): Promise<readonly RecordActivity[]> => {
      const listed = resources.filter((one) => may(one, "list"));
      const all = await ofEach(listed, (one) => activityOf(one, since, signal));
      return all.filter(({ created, changed, deleted }) => created || changed || deleted);
    },
    staleTime: brief,
  });
}

/** Returns the answer of each item in their order, with few requests at the same time. */
async function ofEach<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const left = [...items.entries()];
  const answers: Answer[] = [];
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const [at, item] = one;
      answers[at] = await ask(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}

async function activityOf(
  resource: Resource,
  since: string,
  signal: AbortSignal,
): Promise<RecordActivity> {
  const { created, changed } = sinceParams(resource, since);
  const deleted =
    resource.trash !== undefined && may(resource, "delete")
      ? { trash: "only", "filter[deletedAt][gte]": since }
      : null;
  const totalOf = async (params: Readonly<Record<string, string>> | null) => {
    if (params === null) return null;
    const query = new URLSearchParams({ ...params, fields: "id", perPage: "1" });
    const page = await call<Page<Row>>("GET", `/${resource.name}?${query}`, { signal });
    return page.meta.total;
  };
  return {
    resource,
    created: await totalOf(created),
    changed: await totalOf(changed),
    deleted: await totalOf(deleted),
  };
}

/** The items of a list by cursor; possibly only the newest ones. */
export interface Newest<Item> {
  readonly items: readonly Item[];
  readonly isPart: boolean;
}

/** Loads the events of accounts, newest first. */
export function accountActivityQuery(account: string, since: string) {
  return queryOptions({
    queryKey: [...activityKey(account), "events", since],
    queryFn: ({ signal }) =>
      newest<AccountEvent>(pagesOf("/_service/account-events", {}, signal), ({ at }) => at < since),
    staleTime: brief,
  });
}

export interface FailingWebhook {
  readonly webhook: Webhook;
  readonly failed: Newest<Delivery>;
}

export interface Failures {
  readonly jobs: Newest<Job>;
  readonly webhooks: readonly FailingWebhook[];
}

/** Loads the failures in the given parts of the app, which the account manages. */
export function failuresQuery(account: string, parts: readonly string[], since: string) {
  return queryOptions({
    queryKey: [...activityKey(account), "failures", parts, since],
    queryFn: async ({ signal }): Promise<Failures> => {
      const [jobs, webhooks] = await Promise.all([
        parts.includes("jobs") ? failedJobs(since, signal) : { items: [], isPart: false },
        parts.includes("webhooks") ? failingWebhooks(since, signal) : [],
      ]);
      return { jobs, webhooks };
    },
    staleTime: brief,
  });
}

/** Loads the failed jobs whose last attempt began since then: an older job may have failed again. */
async function failedJobs(since: string, signal: AbortSignal): Promise<Newest<Job>> {
  const pages = pagesOf<Job>(jobsPath, jobFilters("", "failed"), signal);
  const { items, isPart } = await newest(pages, () => false);
  return { items: items.filter(({ at, startedAt }) => (startedAt ?? at) >= since), isPart };
}

async function failingWebhooks(
  since: string,
  signal: AbortSignal,
): Promise<readonly FailingWebhook[]> {
  const { data } = await call<{ data: readonly Webhook[] }>("GET", webhooksPath, { signal });
  const all = await ofEach(data, async (webhook) => {
    const path = deliveriesPath(webhook.id);
    const pages = pagesOf<Delivery>(path, { "filter[state]": "failed" }, signal);
    return { webhook, failed: await newest(pages, ({ at }) => at < since) };
  });
  return all.filter(({ failed }) => failed.items.length > 0);
}

/** Returns the items of pages, newest first, up to the first that is too old. */
async function newest<Item>(
  pages: AsyncIterable<readonly Item[]>,
  isOld: (item: Item) => boolean,
): Promise<Newest<Item>> {
  const items: Item[] = [];
  for await (const page of pages) {
    const end = page.findIndex(isOld);
    items.push(...(end < 0 ? page : page.slice(0, end)));
    if (end >= 0) break;
    if (items.length >= mostRead) return { items, isPart: true };
  }
  return { items, isPart: false };
}
