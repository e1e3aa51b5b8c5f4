import { createServer, type ServerResponse } from "node:http";
import { Registry } from "prom-client";
import type { Config } from "../../config/index.js";
import { StartRefused } from "../../errors/index.js";

/** Serves the metrics page until it is closed. Throws if the port is not available. */
export async function serveMetrics(
  { host, port }: NonNullable<Config["server"]["metrics"]>,
  page: () => Promise<string>,
): Promise<{ close(): void }> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? "").split("?");
    if (path !== "/metrics") return end(response, 404, "Not found\n");
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return end(response, 405, "Method not allowed here\n");
    }
    page().then(
      (text) => {
        response.setHeader("content-type", Registry.PROMETHEUS_CONTENT_TYPE);
        end(response, 200, text);
      },
      () => end(response, 503, "Try again in a moment\n"),
    );
  });
  await new Promise<void>((resolve, reject) => {
    // A later connection that cannot be accepted must not end the server.
    server.on("error", ({ message }) => {
      const hint = "set server.metrics.port, or server.metrics.host";
      reject(new StartRefused({ message: `Metrics cannot be served: ${message}`, hint }));
    });
    server.listen({ host, port }, resolve);
  });
  server.unref();
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  if (!response.hasHeader("content-type")) response.setHeader("content-type", "text/plain");
  response.end(text);
}
