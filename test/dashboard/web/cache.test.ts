import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { keptAnswers, newCache } from "../../../runtime/dashboard/web/api/client/cache.js";

test("only the newest unused responses are kept for going back", async () => {
  const client = newCache();
  const ask = (at: number) => ({ queryKey: ["list", at], queryFn: () => at, staleTime: 60_000 });
  await client.fetchQuery(ask(0));
  const shown = new QueryObserver(client, ask(0)).subscribe(() => {});
  for (let at = 1; at <= keptAnswers + 20; at += 1) {
    // As if each were read at a time of its own.
    client.setQueryData(["list", at], at, { updatedAt: Date.now() - 100_000 + at });
  }
  const kept = () =>
    client
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey[1]);
  await expect.poll(() => kept().length).toBe(keptAnswers + 1);
  expect(kept()).toContain(0);
  expect(kept()).not.toContain(20);
  expect(kept()).toContain(21);
  shown();
  client.clear();
});
