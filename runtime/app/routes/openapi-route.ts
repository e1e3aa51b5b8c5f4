import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import type { Config } from "../../config/index.js";
import { refuse } from "../../errors/index.js";
import type { Route } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";

/** The only server in the document that `generate` writes; it is replaced with the address of the request. */
const servers = /"servers":\[\s*\{"url":"\/api"\}\s*\]/;

type OpenapiParts = Pick<Services, "config" | "log">;

/**
 * `GET /_service/openapi.json`: the document from `generate`, with the address of the request as its server. It needs a
 * token, except in development, where many tools load it.
 */
export function openapiRoute(root: string, { config, log }: OpenapiParts): Route {
  const path = join(root, "generated", "openapi.json");
  const document = readOnce(path, () => {
    log.warn(
      { hint: "deploy it with the app, or run: npx service generate" },
      `${path} is missing`,
    );
  });
  return {
    method: "GET",
    path: "/_service/openapi.json",
    access: config.environment === "development" ? "public" : "signed-in",
    handle: async ({ request }) => {
      const text = await document();
      if (text === null) return refuse("NOT_FOUND");
      const url = `${schemeOf(request, config)}://${request.headers.host ?? "localhost"}/api`;
      // A function, because `$` in a replacement string refers to parts of the match.
      const json = text.replace(servers, () => `"servers":[${JSON.stringify({ url })}]`);
      return { status: 200, json };
    },
  };
}

/** Returns a function that reads a file on first use; null if the file does not exist. */
function readOnce(path: string, onMissing: () => void): () => Promise<string | null> {
  let text: Promise<string | null> | null = null;
  return () => {
    text ??= readFile(path, "utf8").catch(() => {
      onMissing();
      return null;
    });
    return text;
  };
}

/** The scheme that the client used, even through a trusted proxy. */
function schemeOf(request: IncomingMessage, { server }: Config): "http" | "https" {
  const header = request.headers["x-forwarded-proto"];
  const protocol =
    server.trustProxy > 0 && typeof header === "string" ? header.split(",")[0] : null;
  if (protocol?.trim() === "https") return "https";
  return (request.socket as TLSSocket).encrypted === true ? "https" : "http";
}
