import { QueryClient } from "@tanstack/react-query";

/** How many answers are kept for going back, once nothing shows them any more. */
export const keptAnswers = 50;
/** Milliseconds until they are counted: by then a new screen has taken what it shows. */
const restMs = 500;

/**
 * Where answers are kept. The calls repeat a read themselves: one place decides, and a write may never be. Nor does a
 * write wait for the connection to be sent unasked: it fails at once, and says so.
 */
export function newCache(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: "always",
        // Only what has no data yet is loaded by itself: anything else would change while somebody works on it.
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

/** Keeps only the newest of the answers that nothing shows: a look through a long list would keep all of it. */
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
