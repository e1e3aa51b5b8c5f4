import type { ServerResponse } from "node:http";
import { setLater } from "../answer/later-headers.js";
import type { Rate, Verdict } from "./windows.js";

/** The limits of requests in a time, in the order of `service.yaml`. */
const names = ["per_token", "per_client", "sign_in_per_client"] as const;
export type LimitName = (typeof names)[number];

interface Items {
  readonly policy: string;
  readonly state: string;
}

const judged = Symbol("judged");

/** A property costs a request a tenth of what an entry in a WeakMap does. */
interface Judged extends ServerResponse {
  [judged]?: Partial<Record<LimitName, Items>>;
}

/** Tells the client what a limit says about its request (draft-ietf-httpapi-ratelimit-headers-10). */
export function addVerdict(
  response: Judged,
  limit: LimitName,
  { count, seconds }: Rate,
  { left, seconds: free }: Verdict,
): void {
  response[judged] ??= {};
  const all = response[judged];
  all[limit] = {
    policy: `"${limit}";q=${count};w=${seconds}`,
    state: `"${limit}";r=${left};t=${free}`,
  };
  let policies = "";
  let states = "";
  for (const name of names) {
    const one = all[name];
    if (one === undefined) continue;
    const comma = policies === "" ? "" : ", ";
    policies += comma + one.policy;
    states += comma + one.state;
  }
  setLater(response, { "ratelimit-policy": policies, ratelimit: states });
}
