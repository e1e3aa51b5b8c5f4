import type { ServerResponse } from "node:http";
import type { Rate, Verdict } from "./windows.js";

/** The limits of requests in a time, in the order of `service.yaml`. */
const names = ["per_token", "per_client", "sign_in_per_client"] as const;
export type LimitName = (typeof names)[number];

interface Items {
  readonly policy: string;
  readonly state: string;
}

const judged = new WeakMap<ServerResponse, Map<LimitName, Items>>();

/** Tells the client what a limit says about its request (draft-ietf-httpapi-ratelimit-headers-10). */
export function addVerdict(
  response: ServerResponse,
  limit: LimitName,
  { count, seconds }: Rate,
  { left, seconds: free }: Verdict,
): void {
  if (response.headersSent) return;
  const all = judged.get(response) ?? new Map<LimitName, Items>();
  judged.set(response, all);
  all.set(limit, {
    policy: `"${limit}";q=${count};w=${seconds}`,
    state: `"${limit}";r=${left};t=${free}`,
  });
  const items = names.flatMap((name) => all.get(name) ?? []);
  response.setHeader("ratelimit-policy", items.map(({ policy }) => policy).join(", "));
  response.setHeader("ratelimit", items.map(({ state }) => state).join(", "));
}
