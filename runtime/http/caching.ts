import type { IncomingMessage, ServerResponse } from "node:http";
import type { Config } from "../config/index.js";
import { contentTag } from "../values/api/content-tag.js";
import { isTagKnown } from "./request/preconditions.js";
import type { Answer, Caching } from "./route/route.js";

/** For callers with a token: their responses must not be shared. */
const ofCaller = "private, no-cache";

/** The header with the position at which a stream of changes begins; a response that has it is private. */
const position = "changes-position";

/** Adds cache headers to the response to a read; refusals stay `no-store`. */
export function withCaching(
  answer: Answer,
  { visitors, isTagged }: Caching,
  { request, isVisitor }: { readonly request: IncomingMessage; readonly isVisitor: boolean },
): Answer {
  const { status, headers, json } = answer;
  if (status !== 200 && status !== 304) return answer;
  const isOwn = !isVisitor || headers?.[position] !== undefined;
  const control = isOwn ? ofCaller : visitors;
  const cached = { ...headers, "cache-control": control };
  if (!isTagged || !control.startsWith("public") || json === null) {
    return { ...answer, headers: cached };
  }
  const etag = `W/${contentTag(json)}`;
  const tagged = { ...cached, etag };
  if (!isTagKnown(request.headers["if-none-match"], etag)) return { ...answer, headers: tagged };
  return { status: 304, json: null, headers: tagged };
}

/** Tells shared caches that responses of a public route vary by caller. */
export function vary(response: ServerResponse, config: Config): void {
  response.appendHeader("vary", varied(config));
}

/** Allows pages of every origin to read public responses (CORS). */
export function openToPages(
  { method }: IncomingMessage,
  response: ServerResponse,
  config: Config,
): void {
  if (config.server.corsOrigins.length === 0 || (method !== "GET" && method !== "HEAD")) return;
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("vary", varied(config));
}

/** The request headers by which responses vary; an app's own sign-in may also use cookies. */
function varied({ auth }: Config): string {
  return auth.enabled ? "Authorization" : "Authorization, Cookie";
}
