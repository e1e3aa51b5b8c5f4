import { createRequire } from "node:module";
import { z } from "zod";
import type { Answer, Route } from "../http/index.js";

const manifest: unknown = createRequire(import.meta.url)("service/package.json");
const { version } = z.object({ version: z.string() }).parse(manifest);

/** `GET /_service/ping` and `GET /_service/resources`. */
export function systemRoutes(resources: readonly object[]): readonly Route[] {
  const described: Answer = { status: 200, json: JSON.stringify({ data: resources }) };
  return [
    {
      method: "GET",
      path: "/_service/ping",
      access: "public",
      handle: async ({ services }) => {
        // Not queued behind other statements: a health check matters most under load.
        const [row] = await services.db.lookUp<{ id: string }>(
          "select id from service.installation",
        );
        return { status: 200, json: JSON.stringify({ service: version, app: row?.id ?? "" }) };
      },
    },
    {
      method: "GET",
      path: "/_service/resources",
      access: "signed-in",
      handle: async () => described,
    },
  ];
}
