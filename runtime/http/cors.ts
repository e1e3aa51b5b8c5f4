import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type cors from "cors";
import type { RequestHandler } from "express";
import type { Services } from "../own-code/index.js";
import type { Route } from "./route/route.js";

interface CorsParts {
  readonly services: Services;
  readonly routes: readonly Route[];
}

/**
 * Returns middleware that lets pages of the configured origins call the API (CORS); null if no origin is configured.
 */
export function pagesOf({ services, routes }: CorsParts): RequestHandler | null {
  const { corsOrigins, mcp } = services.config.server;
  if (corsOrigins.length === 0) return null;
  const allow: typeof cors = createRequire(import.meta.url)("cors");
  const hasStream = routes.some((one) => "accept" in one && one.accept === "events");
  const isResumable = services.config.uploads.resumable !== null;
  const allowedHeaders = [
    ...ofRequests,
    ...(hasStream ? ofStreams : []),
    ...(mcp === false ? [] : ofAgents),
    ...(isResumable ? ofUploads.sent : []),
  ];
  const options: cors.CorsOptions = {
    origin: [...corsOrigins],
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders,
    exposedHeaders: [...ofAnswers, ...(isResumable ? ofUploads.answered : [])],
    maxAge: 600,
    preflightContinue: true,
  };
  if (Object.keys(services.appCode.guards).length === 0) return allow(options);
  return allow((request, done) =>
    done(null, {
      ...options,
      allowedHeaders: [...allowedHeaders, ...others(request, allowedHeaders)],
    }),
  );
}

const ofRequests = [
  "Authorization",
  "Content-Type",
  "If-Match",
  "If-None-Match",
  "Idempotency-Key",
  "X-Request-Id",
  "traceparent",
];
const ofAnswers = [
  "ETag",
  "Location",
  "Retry-After",
  "X-Request-Id",
  "Idempotency-Replayed",
  "RateLimit",
  "RateLimit-Policy",
  "Changes-Position",
  "Content-Disposition",
];

/** The header that the client of a stream sends when it reconnects. */
const ofStreams = ["Last-Event-ID"];

/** Headers of the Model Context Protocol (MCP). */
const ofAgents = ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"];

/** Headers of the tus protocol. */
const ofUploads = {
  sent: [
    "Tus-Resumable",
    "Upload-Length",
    "Upload-Metadata",
    "Upload-Offset",
    "X-HTTP-Method-Override",
    "X-Requested-With",
  ],
  answered: [
    "Tus-Resumable",
    "Tus-Version",
    "Tus-Extension",
    "Tus-Max-Size",
    "Upload-Expires",
    "Upload-Length",
    "Upload-Metadata",
    "Upload-Offset",
  ],
};

/** Other headers that a page asks to send: a guard may read any, such as the response to a captcha. */
function others(
  { headers }: Pick<IncomingMessage, "headers">,
  known: readonly string[],
): readonly string[] {
  const names = known.map((name) => name.toLowerCase());
  return (headers["access-control-request-headers"] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => isToken.test(name) && !names.includes(name.toLowerCase()));
}

const isToken = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
