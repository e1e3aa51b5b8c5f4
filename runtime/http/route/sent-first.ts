import { isSentWithCaller } from "../../db/index.js";
import type { CallersRead, PlannedRead } from "./route.js";

/** What is known about a request before its caller is identified. */
export interface BeforeCaller {
  /** Whether the request has a token. Without one, a rule with `public` needs no lookup. */
  readonly hasToken: boolean;
  readonly isPublic: boolean;
  /** Whether the gate can run a read together with the lookup of the token. */
  readonly canAsk: boolean;
  /** Whether the route's last caller had a role: the read of callers without a role would be wasted on the next one. */
  readonly isCalledByRole: boolean;
}

/**
 * Returns the read that is sent together with the lookup of the token; null if the caller has to be identified first.
 */
export function sentFirst(
  planned: PlannedRead | CallersRead,
  { hasToken, isPublic, canAsk, isCalledByRole }: BeforeCaller,
): PlannedRead | null {
  if (!canAsk || (isPublic && !hasToken)) return null;
  if (!("prepare" in planned)) return planned;
  const { ofNoRole } = planned;
  if (ofNoRole === undefined || isCalledByRole || !isSentWithCaller(ofNoRole)) return null;
  return ofNoRole;
}
