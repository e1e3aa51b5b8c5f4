import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { admitAny } from "./access-rule.js";
import { answerRead } from "./gate.js";
import type { Answer, Context, Route } from "./route.js";
import { noParams } from "./table.js";

/** A request that is part of another one, by the same caller. */
export interface InnerRequest {
  readonly route: Route;
  readonly params?: Readonly<Record<string, string>>;
  /** The query string, without `?`. */
  readonly query?: string;
  /** Sent as JSON. */
  readonly body?: object;
  /** The text of the body, if known: it preserves numbers that parsing would change. */
  readonly text?: string | undefined;
  /** By name in lower case; `content-type` and `content-length` are added if there is a body. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Responds to an inner request as to one from outside: with the route's access rule and all its refusals. `context` is
 * that of the outer request, whose caller has been identified.
 */
export async function answerWithin(context: Context, inside: InnerRequest): Promise<Answer> {
  const { route, params = noParams, query = "" } = inside;
  if (route.access !== "public") admitAny(context.caller, route.access);
  const inner = { ...context, request: requestOf(inside), params, query };
  return "read" in route ? answerRead(route.read(inner), inner) : route.handle(inner);
}

function requestOf({
  route,
  params = noParams,
  body,
  text,
  headers,
}: InnerRequest): IncomingMessage {
  const { method, path } = route;
  const bytes = body === undefined ? null : Buffer.from(text ?? JSON.stringify(body));
  const ofBody = bytes && {
    "content-type": "application/json",
    "content-length": String(bytes.length),
  };
  const request = {
    method,
    // An idempotency key covers the URL.
    url: `/api${path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? "")}`,
    headers: { ...headers, ...ofBody },
  };
  const stream = Readable.from(bytes === null ? [] : [bytes], { objectMode: false });
  return Object.assign(stream, request) as unknown as IncomingMessage;
}
