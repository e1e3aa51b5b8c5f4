import { QueryClient } from "@tanstack/react-query";

/** Maximum number of unused responses that stay cached, for navigating back. */
export const keptAnswers = 50;
/** Milliseconds before unused responses are counted, so that a new screen can first use the responses that it needs. */
const restMs = 500;

/**
 * The cache of responses. Only `call` retries, and only reads: a write must not be repeated. Nor does a write wait for
 * a connection: it fails immediately with a message.
 */
export function newCache(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: "always",
        // On reconnection, only queries without data load: other data would change while a user works with it.
        refetchOnReconnect: ({ state }) => state.data === undefined,
      },
      mutations: { networkMode: "always" },
    },
  });
  let timer: ReturnType<typeof setTimeout> | null = null;
  client.getQueryCache().subscribe(({ type }) => {
    if (type !== "added" || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      forgetOldest(client);
    }, restMs);
  });
  return client;
}

/** Keeps only the newest unused responses; otherwise scrolling through a long list would cache all of it. */
function forgetOldest(client: QueryClient): void {
  const cache = client.getQueryCache();
  const idle = cache
    .getAll()
    .filter((query) => query.state.data !== undefined && query.getObserversCount() === 0);
  if (idle.length <= keptAnswers) return;
  const oldestFirst = idle.toSorted(
    (one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt,
  );
  for (const query of oldestFirst.slice(0, -keptAnswers)) cache.remove(query);
}
