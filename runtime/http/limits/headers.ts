import type { ServerResponse } from "node:http";
import { addLater } from "../answer/later-headers.js";
import type { Rate, Verdict } from "./windows.js";

/** Rate limits, in the order of `service.yaml`. */
const names = [
  "per_token",
  "per_client",
  "sign_in_per_client",
  "public_create_per_client",
] as const;
export type LimitName = (typeof names)[number];

export interface Limit {
  readonly name: LimitName;
  readonly rate: Rate;
}

interface Items {
  readonly policy: string;
  readonly state: string;
}

const judged = Symbol("judged");

/** A property costs a tenth of an entry in a WeakMap. */
interface Judged extends ServerResponse {
  [judged]?: Partial<Record<LimitName, Items>>;
}

/** Adds a limit's verdict to the response headers (draft-ietf-httpapi-ratelimit-headers-10). */
export function addVerdict(
  response: Judged,
  { name, rate: { count, seconds } }: Limit,
  { left, seconds: free }: Verdict,
): void {
  response[judged] ??= {};
  response[judged][name] = {
    policy: `"${name}";q=${count};w=${seconds}`,
    state: `"${name}";r=${left};t=${free}`,
  };
  addLater(response, headersOf);
}

/** Returns the headers, with one item per limit that was checked for the request. */
function headersOf({ [judged]: all = {} }: Judged): Readonly<Record<string, string>> {
  const items = names.flatMap((name) => all[name] ?? []);
  return {
    "ratelimit-policy": items.map(({ policy }) => policy).join(", "),
    ratelimit: items.map(({ state }) => state).join(", "),
  };
}
