import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Config } from "../config/index.js";
import { isTagKnown } from "./request/preconditions.js";
import type { Answer, Caching } from "./route/route.js";

/** What other callers than those without a token are told: nobody else may get their answers. */
const ofCaller = "private, no-cache";

/** A header that a stream of changes begins at; an answer with one is for its reader alone. */
const position = "changes-position";

/** The answer to a read of a resource with what caches may do with it; that of a refusal stays `no-store`. */
export function withCaching(
  answer: Answer,
  request: IncomingMessage,
  { visitors, isTagged }: Caching,
  { isVisitor }: { readonly isVisitor: boolean },
): Answer {
  const { status, headers, json } = answer;
  if (status !== 200 && status !== 304) return answer;
  const isOwn = !isVisitor || headers?.[position] !== undefined;
  const control = isOwn ? ofCaller : visitors;
  const cached = { ...headers, "cache-control": control };
  if (!isTagged || !control.startsWith("public") || json === null) {
    return { ...answer, headers: cached };
  }
  const etag = `W/"${createHash("sha256").update(json).digest("base64url").slice(0, 27)}"`;
  const tagged = { ...cached, etag };
  if (!isTagKnown(request.headers["if-none-match"], etag)) return { ...answer, headers: tagged };
  return { status: 304, json: null, headers: tagged };
}

/** Tells caches in between that answers of a public route differ by who asks. */
export function vary(response: ServerResponse, config: Config): void {
  response.appendHeader("vary", varied(config));
}

/** Lets pages of every origin read what anybody may. */
export function openToPages(
  { method }: IncomingMessage,
  response: ServerResponse,
  config: Config,
): void {
  if (config.server.corsOrigins.length === 0 || (method !== "GET" && method !== "HEAD")) return;
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("vary", varied(config));
}

/** An app's own sign-in may look at cookies as well. */
function varied({ auth }: Config): string {
  return auth.enabled ? "Authorization" : "Authorization, Cookie";
}
