import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../own-code/index.js";
import { safeHeaders } from "./answer/answer.js";
import { splitUrl } from "./request/url.js";

/** Gives each request an id and one log line, without the query string, which may be private. */
export function requestTrace(
  log: Log,
): (request: IncomingMessage, response: ServerResponse) => void {
  const instance = randomBytes(4).toString("hex");
  let count = 0;
  return (request, response) => {
    count += 1;
    // Express may change the URL before the request is logged.
    const { path } = splitUrl(request.url ?? "");
    const requestId = `${instance}-${count}`;
    const start = performance.now();
    for (const [name, value] of safeHeaders) response.setHeader(name, value);
    response.setHeader("x-request-id", requestId);
    response.on("finish", () => {
      log.info({
        requestId,
        method: request.method,
        path,
        status: response.statusCode,
        ms: Math.round((performance.now() - start) * 10) / 10,
      });
    });
  };
}
