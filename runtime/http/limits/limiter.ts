import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse } from "../../errors/index.js";
import type { Caller, Services } from "../../own-code/index.js";
import { clientKey } from "../request/client-address.js";
import { splitUrl } from "../request/url.js";
import type { Route } from "../route/route.js";
import { addVerdict, type Limit, type LimitName } from "./headers.js";
import { unsetProxy } from "./unset-proxy.js";
import { newWindows, type Rate, type Verdict } from "./windows.js";

/** Checks a request with that key against the limit, across all processes of the machine. */
export type Judge = (
  limit: LimitName,
  key: string,
  rate: Rate,
) => Verdict | Promise<Verdict | null>;

/** Rate limits. Each method refuses with 429. */
export interface Limiter {
  /** Limits the requests of a client; null if there is no such limit. */
  readonly ofClient:
    | ((request: IncomingMessage, response: ServerResponse) => Promise<void> | void)
    | null;
  ofToken(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> | void;
  ofSignIn(request: IncomingMessage, response: ServerResponse, route: Route): Promise<void> | void;
  /** Limits requests without a token that create a record. */
  ofPublicCreate(request: IncomingMessage, response: ServerResponse): Promise<void> | void;
}

/** Routes that hash a password, check a code, a mailed link or a provider's response, or send mail. */
const signIns =
  /^\/auth\/(?:token|two-factor\/.+|magic-link(?:\/verify)?|email-code(?:\/verify)?|register|provider\/(?:verify|id-token)|email\/.+|password(?:\/.+)?)$/;

/** Whether requests to the route count as sign-in attempts for the rate limit. */
export function isSignIn({ method, path }: Pick<Route, "method" | "path">): boolean {
  return method === "POST" && signIns.test(path);
}

/** Creates the rate limiter of a single-process server. */
export function newJudge(): Judge {
  const windows = newWindows();
  return (limit, key, rate) => windows.judge(`${limit} ${key}`, rate);
}

export function newLimiter(
  { config, log }: Pick<Services, "config" | "log">,
  judge: Judge,
): Limiter {
  const { limits } = config;
  const perToken = limitOf("per_token", limits.perToken);
  const perClient = limitOf("per_client", limits.perClient);
  const signInPerClient = limitOf("sign_in_per_client", limits.signInPerClient);
  const publicCreatePerClient = limitOf("public_create_per_client", limits.publicCreatePerClient);
  const isUncounted = unsetProxy(config, log);
  const clientFor = (request: IncomingMessage) => clientKey(request, config);

  function check(
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
    limit: Limit,
    key: string,
  ): Promise<void> | void {
    const act = (verdict: Verdict | null) => {
      // The counting process has ended, and this process will follow.
      if (verdict === null) return;
      addVerdict(response, limit, verdict);
      if (!verdict.isAllowed) refuseFor(request, verdict.seconds);
    };
    const found = judge(limit.name, key, limit.rate);
    return found instanceof Promise ? found.then(act) : act(found);
  }

  return {
    ofClient:
      perClient === null
        ? null
        : (request, response) => check({ request, response }, perClient, clientFor(request)),
    ofToken(request, response, caller) {
      if (perToken === null) return;
      const key = caller.sessionId ?? request.headers.authorization ?? caller.accountId;
      return check({ request, response }, perToken, key);
    },
    ofSignIn(request, response, route) {
      if (signInPerClient === null || !isSignIn(route)) return;
      return check({ request, response }, signInPerClient, clientFor(request));
    },
    ofPublicCreate(request, response) {
      if (publicCreatePerClient === null || isUncounted(request)) return;
      return check({ request, response }, publicCreatePerClient, clientFor(request));
    },
  };
}

function limitOf(name: LimitName, rate: Rate | null): Limit | null {
  return rate && { name, rate };
}

function refuseFor({ url = "" }: IncomingMessage, retryAfter: number): never {
  const isOfAccounts = splitUrl(url).path.startsWith("/api/auth/");
  return refuse(isOfAccounts ? "TOO_MANY_ATTEMPTS" : "TOO_MANY_REQUESTS", { retryAfter });
}
