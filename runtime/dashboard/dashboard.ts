import type { IncomingMessage, ServerResponse } from "node:http";
import { headProblem } from "../http/index.js";
import { isCrossSite } from "./cross-site.js";
import { type ForwardSettings, newForward } from "./forward/forward.js";
import type { ForwardLimits } from "./forward/limits.js";
import { refuse } from "./forward/refuse.js";
import { openUpstream } from "./forward/upstream.js";
import { handOver, isOurs } from "./in-place.js";
import type { Pages } from "./pages/pages.js";
import { isProviderCallback } from "./session/sign-in.js";
import { isOfApi, type Target, targetOf } from "./session/target.js";

export interface DashboardParts {
  readonly pages: Pages;
  readonly settings: ForwardSettings & {
    /** The origin of the dashboard's address; null if it is not configured. */
    readonly webOrigin: string | null;
  };
}

/** Responds to a request, or passes it on. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  pass: () => void,
) => void;

export interface Forwarding extends DashboardParts {
  /** The API's current origin. */
  readonly apiUrl: () => string;
  /** Whether the dashboard handles this request. */
  readonly isOurs?: (request: IncomingMessage) => boolean;
  /** Overrides for the usual limits. */
  readonly limits?: Partial<ForwardLimits>;
}

/** The dashboard in front of an API on another server; requests that it does not handle are forwarded. */
export function forwardingDashboard(parts: Forwarding): Handler & { close(): void } {
  const { pages, settings, isOurs: isMine = () => true } = parts;
  const upstream = openUpstream(parts.apiUrl);
  const forward = newForward(upstream, settings, parts.limits);
  const handle: Handler = (request, response, pass) => {
    const path = admitted(request, response, { settings, isMine, pass });
    if (path === null) return;
    if (isOfApi(path)) forward(request, response, path);
    else if (!pages(request, response, path)) pass();
  };
  const close = () => {
    forward.close();
    upstream.close();
  };
  return Object.assign(handle, { close });
}

/** The dashboard in the API's process: all other requests reach the API unchanged. */
export function dashboardInPlace({ pages, settings }: DashboardParts): Handler {
  return (request, response, pass) => {
    const path = admitted(request, response, { settings, isMine: isOurs, pass });
    if (path === null) return;
    if (isOfApi(path)) {
      handOver(request, response, { ...settings, path });
      pass();
    } else if (!pages(request, response, path)) pass();
  };
}

interface Admission extends Pick<DashboardParts, "settings"> {
  readonly isMine: (request: IncomingMessage) => boolean;
  readonly pass: () => void;
}

/** Returns the path of a request that the dashboard may handle; null if it is not the dashboard's, or was refused. */
function admitted(
  request: IncomingMessage,
  response: ServerResponse,
  { settings, isMine, pass }: Admission,
): string | null {
  const target = targetOf(request.url ?? "");
  if (target.kind !== "page" && !isMine(request)) {
    pass();
    return null;
  }
  const problem = problemOf(request, target, settings.webOrigin);
  if (problem !== null) {
    refuse(response, problem);
    return null;
  }
  return target.kind === "unsafe" ? null : target.path;
}

function problemOf(request: IncomingMessage, target: Target, webOrigin: string | null) {
  const head = headProblem(request);
  if (head !== null) return head;
  // TRACE would echo the token and the secret, which no browser may see.
  if (request.method === "TRACE") return 405;
  if (target.kind === "unsafe" || request.headers.upgrade !== undefined) return 400;
  if (isProviderCallback(request, target.path)) return null;
  return isCrossSite(request, webOrigin) ? 403 : null;
}
