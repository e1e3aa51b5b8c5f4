import type { IncomingMessage, ServerResponse } from "node:http";
import { type Services, servicesFor } from "../own-code/index.js";
import type { RequestState } from "../request/index.js";
import { send, sendError, sendLive, sendLong, sendStream } from "./answer/answer.js";
import { logForbidden } from "./answer/log-forbidden.js";
import { answerRequest } from "./answer-request.js";
import { attachWork } from "./connections/in-flight.js";
import type { Door } from "./limits/door.js";
import { splitUrl } from "./request/url.js";
import type { Answer, ReadRoute, Route } from "./route/route.js";
import { isAtRoot, noParams, routeTable } from "./route/table.js";

/** A request, its state and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly state: RequestState;
}

/** Responds to a request below `/api`, or passes it on if no route has its path. */
export type Api = (exchange: Exchange, pass: () => void) => void;

const prefix = "/api";

const nothing: ReadonlySet<string> = new Set();

/** The generated routes, and the paths of the app routes. */
interface ApiRoutes {
  readonly routes: readonly Route[];
  /** Paths that are passed on if only a parameter of a generated route would match them. */
  readonly own?: ReadonlySet<string> | undefined;
}

/** Combines all generated routes into one handler. */
export function api({ routes, own = nothing }: ApiRoutes, all: Services, door: Door): Api {
  const table = routeTable(routes.filter((route) => !isAtRoot(route)));
  const calledByRole = new Set<ReadRoute>();
  const rootTable = routeTable(routes.filter(isAtRoot));
  return ({ request, response, state }, pass) => {
    const { path, query } = splitUrl(request.url ?? "/");
    const below = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : "";
    const match = below === "" ? rootTable.find(path) : table.find(below);
    if (match === undefined || (match.params !== noParams && own.has(below))) {
      pass();
      return;
    }
    state.route = match.route;
    const services = servicesFor(all, state);
    const { log } = services;
    const exchange = { request, response, services, door, calledByRole, isVisitor: false };
    const begin = () => answerRequest(exchange, match, query);
    const work = (isApart(match.route) ? begin() : door.atOnce.run(request, begin)).then(
      (answered) => sendAnswer(response, answered, log),
      (error: unknown) => {
        logForbidden(services, request, error);
        sendError(response, error, log);
      },
    );
    attachWork(response, work);
  };
}

function sendAnswer(
  response: ServerResponse,
  answered: Answer,
  log: Services["log"],
): Promise<void> | void {
  const { stream, long, live } = answered;
  if (live !== undefined) return sendLive(response, answered, live);
  // Generating a long text counts as work in flight; sending it ends when the connection closes.
  if (long !== undefined) return sendLong(response, { ...answered, long }, log);
  if (stream !== undefined) {
    void sendStream(response, { ...answered, stream }, log);
  } else send(response, answered);
}

/** Whether the route handles files, which may take any time, or is a health check, which ignores tokens. */
function isApart(route: string): boolean {
  return apart.test(route);
}

const apart = /^\/api\/(?:_service\/(?:uploads|files|live|ready)|auth\/avatar)(?:\/|$)/;
