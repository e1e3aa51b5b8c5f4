import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../client/client.js";
import { brief } from "../client/freshness.js";
import { totalOf } from "../client/pages.js";

export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Patterns such as `products.created` or `orders.*`. */
  readonly events: readonly string[];
  readonly disabled: boolean;
  readonly createdAt: string;
}

export const deliveryStates = ["waiting", "succeeded", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly state: DeliveryState;
  /** Number of attempts that have ended. */
  readonly attempts: number;
  /** The status of the last response; null if there was none. */
  readonly status: number | null;
  readonly at: string;
  readonly nextAt: string | null;
}

/** A delivery with its body, and the reason why the last attempt failed. */
export interface WholeDelivery extends Delivery {
  readonly error: string | null;
  readonly body: string;
}

export const webhooksPath = "/_service/webhooks";

/** The key of all queries of webhooks, which a write makes stale. */
export function webhooksKey(account: string): readonly string[] {
  return [account, "webhooks"];
}

/** Loads the webhooks, newest first. */
export function webhooksQuery(account: string) {
  return queryOptions({
    queryKey: [...webhooksKey(account), "list"],
    queryFn: ({ signal }) => call<{ data: readonly Webhook[] }>("GET", webhooksPath, { signal }),
    staleTime: brief,
  });
}

export function webhookQuery(account: string, id: string) {
  return queryOptions({
    queryKey: [...webhooksKey(account), "one", id],
    queryFn: ({ signal }) =>
      call<Webhook>("GET", `${webhooksPath}/${encodeURIComponent(id)}`, { signal }),
    staleTime: brief,
  });
}

/** Loads the deliveries of a webhook, newest first; of one state unless `state` is empty. */
export function deliveriesQuery(account: string, id: string, state: DeliveryState | "") {
  return infiniteQueryOptions({
    queryKey: [...webhooksKey(account), "deliveries", id, state],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({
        ...(state === "" ? {} : { "filter[state]": state }),
        cursor: pageParam,
      });
      return call<{ data: readonly Delivery[]; meta: { next: string | null } }>(
        "GET",
        `${deliveriesPath(id)}?${query}`,
        { signal },
      );
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next ?? undefined,
    staleTime: brief,
  });
}

export function deliveryTotalsQuery(account: string, id: string) {
  return queryOptions({
    queryKey: [...webhooksKey(account), "totals", id],
    queryFn: ({ signal }) =>
      Promise.all(
        deliveryStates.map(async (state) => ({
          state,
          ...(await totalOf(deliveriesPath(id), { "filter[state]": state }, signal)),
        })),
      ),
    staleTime: brief,
  });
}

export function deliveriesPath(id: string): string {
  return `${webhooksPath}/${encodeURIComponent(id)}/deliveries`;
}

export function deliveryQuery(account: string, webhook: string, id: string) {
  return queryOptions({
    queryKey: [...webhooksKey(account), "delivery", webhook, id],
    queryFn: ({ signal }) =>
      call<WholeDelivery>("GET", `${webhooksPath}/${webhook}/deliveries/${id}`, {
        signal,
      }),
    staleTime: 0,
  });
}
