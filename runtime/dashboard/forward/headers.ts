import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { plainAddress } from "../../values/addresses/ip-address.js";

/** Settings of the headers that describe the device behind a request. */
export interface DeviceSettings {
  /** Null if the API would not trust the device headers, so that none are sent. */
  readonly proxySecret: string | null;
  /** The number of trusted proxies in front of the dashboard, for `X-Forwarded-For`. */
  readonly trustProxy: number;
}

/** Headers of a connection, not of a message (RFC 9110 §7.6.1); the body is framed again. */
const hopByHop: readonly string[] = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Headers that only the dashboard sends to the API. */
const ours: ReadonlySet<string> = new Set([
  ...hopByHop,
  "authorization",
  "content-length",
  "cookie",
  "expect",
  "forwarded",
  "host",
  "service-dashboard",
  "x-service-client-browser",
  "x-service-client-ip",
  "x-service-proxy-secret",
]);

/** Returns a header's name with dashes: some servers treat underscores as dashes. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

/** Whether a header of that name is never forwarded from a browser. */
export function isWithheld(name: string): boolean {
  const plain = plainName(name);
  return ours.has(plain) || plain.startsWith("x-forwarded-");
}

/** Returns the headers sent to the API: the browser's, except those withheld, with `Authorization` and the device. */
export function requestHeaders(
  request: IncomingMessage,
  authorization: string | null,
  device: DeviceSettings,
): OutgoingHttpHeaders {
  const listed = listedIn(request);
  const kept = Object.entries(request.headersDistinct).filter(
    ([name]) => !isWithheld(name) && !listed.has(plainName(name)),
  );
  return {
    ...Object.fromEntries(kept),
    ...(authorization === null ? {} : { authorization }),
    ...deviceHeaders(request, device),
  };
}

/** The properties of a response that decide which headers the browser gets. */
export interface AnswerKind {
  /** Whether other sites may read the response. */
  readonly isOpen?: boolean;
  /** Whether the response is a stored file, which may be cached as the API specifies. */
  readonly isFile?: boolean;
}

/**
 * Returns the headers of the API's response that the browser gets. Only files may be cached: behind the dashboard, the
 * response depends on a cookie that `Vary: Authorization` does not cover.
 */
export function answerHeaders(
  answer: IncomingMessage,
  { isOpen = false, isFile = false }: AnswerKind = {},
): OutgoingHttpHeaders {
  const listed = listedIn(answer);
  const kept = Object.entries(answer.headersDistinct).filter(
    ([name]) =>
      !hopByHop.includes(name) &&
      !listed.has(name) &&
      name !== "set-cookie" &&
      (isOpen || !name.startsWith("access-control-")),
  );
  return { ...Object.fromEntries(kept), ...(isFile ? {} : { "cache-control": "no-store" }) };
}

/** Returns the headers listed in a message's `Connection` header. */
function listedIn({ headers: { connection = "" } }: IncomingMessage): ReadonlySet<string> {
  return new Set(connection.split(",").map((name) => plainName(name.trim())));
}

/** The three headers that describe the device; the API trusts them because of the secret. */
export function deviceHeaders(
  request: IncomingMessage,
  { proxySecret, trustProxy }: DeviceSettings,
): OutgoingHttpHeaders {
  if (proxySecret === null) return {};
  const address = clientAddress(request, trustProxy);
  const browser = request.headers["user-agent"];
  return {
    // Node writes header values as Latin-1.
    "x-service-proxy-secret": Buffer.from(proxySecret).toString("latin1"),
    ...(address === null ? {} : { "x-service-client-ip": address }),
    ...(browser === undefined ? {} : { "x-service-client-browser": browser }),
  };
}

/** Returns the client's address: the n-th from the right, which connected to the outermost trusted proxy. */
function clientAddress({ headers, socket }: IncomingMessage, trustProxy: number): string | null {
  const forwarded = headers["x-forwarded-for"];
  const hops = typeof forwarded === "string" ? forwarded.split(",") : [];
  const named = trustProxy === 0 ? undefined : hops.at(-trustProxy)?.trim();
  const address = named !== undefined && isIP(named) !== 0 ? named : (socket.remoteAddress ?? null);
  return address === null ? null : plainAddress(address);
}
