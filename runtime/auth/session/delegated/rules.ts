import type { Config } from "../../../config/index.js";

/** The scopes that an app may request, in the form of the `scope` parameter. */
export type Scope = "read" | "read write";

/** The scope of an app, and the address that it may access. */
export interface AppLimits {
  readonly scope: Scope;
  /** The address below which the app's tokens are valid. */
  readonly resource: string;
}

/** The part of a request that decides whether it is allowed. */
export interface RequestLine {
  readonly method: string;
  /** The path from the root, without a trailing slash. */
  readonly path: string;
}

/** `unknown`: the token is not valid here. `scope`: the app may only read. */
export type Verdict = "allowed" | "unknown" | "forbidden" | "scope";

export const mcpPath = "/api/_service/mcp";

/** The addresses that a token may be valid for: those of MCP and of the API. */
export function resourcesOf(config: Pick<Config, "webUrl">): {
  readonly mcp: string;
  readonly api: string;
} {
  const web = webOrigin(config);
  return { mcp: `${web}${mcpPath}`, api: `${web}/api` };
}

/** The origin of the dashboard's address, by which apps identify this server. */
export function webOrigin({ webUrl }: Pick<Config, "webUrl">): string {
  if (webUrl === null) throw new Error("Apps are allowed, but the dashboard's address is not set");
  return new URL(webUrl).origin;
}

/** Returns the verdict on an app's request, before any rule about its account. */
export function judgeApp(
  { scope, resource }: AppLimits,
  { method, path }: RequestLine,
  config: Pick<Config, "webUrl">,
): Verdict {
  const { mcp, api } = resourcesOf(config);
  const isThere = resource === mcp ? path === mcpPath : resource === api && isBelow(path, "/api");
  if (!isThere) return "unknown";
  if (isBelow(path, "/api/auth")) return isOwnRead(method, path) ? "allowed" : "forbidden";
  if (scope === "read write" || isRead(method, path)) return "allowed";
  // The tool name is in the body, which the route checks.
  return path === mcpPath ? "allowed" : "scope";
}

/** Returns the verdict on a request by an operator who views the app as another account. */
export function judgeView({ method, path }: RequestLine): Verdict {
  const isAllowed = isBelow(path, "/api/auth") ? isOwnRead(method, path) : isRead(method, path);
  return isAllowed ? "allowed" : "forbidden";
}

function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

function isOwnRead(method: string, path: string): boolean {
  return isRead(method, path) && (path === "/api/auth/me" || path === "/api/auth/config");
}

/** Reads that have a body: queries and aggregations. */
const readsByBody = /^\/api\/[^/]+\/_(?:query|aggregate)$/;

function isRead(method: string, path: string): boolean {
  return method === "GET" || method === "HEAD" || (method === "POST" && readsByBody.test(path));
}
