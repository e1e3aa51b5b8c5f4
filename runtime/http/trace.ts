import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Services } from "../own-code/index.js";
import { newBusyTime, type RequestState, readTraceparent } from "../request/index.js";
import { safeHeaders } from "./answer/answer.js";
import { clientKey } from "./request/client-address.js";
import { newPresence } from "./request/presence.js";
import { splitUrl } from "./request/url.js";
import type { Route } from "./route/route.js";

/** A completed request. */
export interface Answered {
  readonly method: string;
  /** The route as logged. */
  readonly route: string | null;
  /** 499 if the client disconnected first. */
  readonly status: number;
  readonly milliseconds: number;
}

export interface Watcher {
  onBegin?(): void;
  onAnswered?(answered: Answered): void;
  /** Called if a request came through a proxy although no proxy is trusted. */
  onUntrustedProxy?(): void;
}

interface TraceParts {
  readonly services: Pick<Services, "log" | "config">;
  readonly routes: readonly Route[];
  readonly watcher?: Watcher;
}

export function healthPaths(routes: readonly Route[]): ReadonlySet<string> {
  const checks = routes.filter((route) => "isHealth" in route && route.isHealth === true);
  return new Set(checks.map(({ path }) => `/api${path}`));
}

const soundId = /^[A-Za-z0-9._-]{1,128}$/;

/** nginx's status for a client that closed the connection before the response was sent. */
const clientLeft = 499;

/** Gives each request an id and one log line. The line has no path, which may be private. */
export function requestTrace({
  services: { log, config },
  routes,
  watcher = {},
}: TraceParts): (request: IncomingMessage, response: ServerResponse) => RequestState {
  const instance = randomBytes(4).toString("hex");
  const health = healthPaths(routes);
  const isDirect = config.server.trustProxy === 0;
  const isDevelopment = config.environment === "development";
  const presence = newPresence();
  let count = 0;

  return (request, response) => {
    count += 1;
    // Express may change the URL before the request is logged.
    const { path } = splitUrl(request.url ?? "");
    const method = request.method ?? "GET";
    const sent = request.headers["x-request-id"];
    const requestId =
      typeof sent === "string" && soundId.test(sent) ? sent : `${instance}-${count}`;
    const start = performance.now();
    const client = () => request.headers.authorization ?? clientKey(request, config);
    if (!health.has(path)) presence.begin(client(), start);
    const trace = readTraceparent(request.headers.traceparent);
    const state: RequestState = {
      fields:
        trace === null
          ? { requestId }
          : { requestId, trace_id: trace.traceId, span_id: trace.spanId },
      traceparent: trace?.traceparent ?? null,
      route: null,
      accountId: null,
      viewerId: null,
      serviceToken: null,
      job: null,
      client: () => (presence.hasSeveral(performance.now()) ? client() : null),
      database: isDevelopment ? newBusyTime() : null,
    };
    for (const [name, value] of safeHeaders) response.setHeader(name, value);
    response.setHeader("x-request-id", requestId);
    if (isDevelopment) addTiming(response, state, start);
    watcher.onBegin?.();
    if (isDirect && request.headers["x-forwarded-for"] !== undefined) watcher.onUntrustedProxy?.();
    response.on("close", () => {
      const milliseconds = performance.now() - start;
      const { route, accountId, viewerId } = state;
      const status = response.writableFinished ? response.statusCode : clientLeft;
      watcher.onAnswered?.({ method, route, status, milliseconds });
      const line = {
        ...state.fields,
        method,
        ...(isDevelopment && { path }),
        route,
        status,
        ms: rounded(milliseconds),
        accountId,
        ...(viewerId !== null && { viewer: viewerId }),
      };
      // Load balancers send several of these per second.
      if (health.has(path)) log.debug(line, "request");
      else log.info(line, "request");
    });
    return state;
  };
}

/** In development, `Server-Timing` shows the duration of every response in the browser's developer tools. */
function addTiming(response: ServerResponse, { database }: RequestState, start: number): void {
  const { writeHead } = response;
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    const [db, total] = [database?.total() ?? 0, performance.now() - start].map(rounded);
    if (!response.headersSent)
      response.setHeader("server-timing", `db;dur=${db}, total;dur=${total}`);
    return Reflect.apply(writeHead, response, args);
  }) as typeof writeHead;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
