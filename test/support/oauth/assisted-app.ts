import type { AddressInfo } from "node:net";
import { z } from "zod";
import { newDashboardServer } from "../../../runtime/dashboard/serve.js";
import { startWrittenApp, type WrittenApp } from "../apps/written-app.js";
import { type DocumentSite, startDocumentSite } from "./documents.js";

/** An app behind its dashboard, to which assistants may be connected. */
export interface AssistedApp {
  readonly app: WrittenApp;
  /** The dashboard's address: the one that assistants are given. */
  readonly web: string;
  readonly site: DocumentSite;
  close(): Promise<void>;
}

const descriptors = new Map([
  ["products.yaml", "fields: { name: { type: string, required: true } }\n"],
]);

/** The two tools that ChatGPT asks for where it searches. */
const tools = {
  search: {
    description: "Finds products by words.",
    input: z.object({ query: z.string() }),
    run: async () => ({ results: [{ id: "1", title: "Tea", url: "https://shop.example.com/1" }] }),
  },
  fetch: {
    description: "Reads a product.",
    input: z.object({ id: z.string() }),
    run: async () => ({ id: "1", title: "Tea", text: "Green", url: "https://shop.example.com/1" }),
  },
};

export async function startAssistedApp(mcp: "true" | "read" = "true"): Promise<AssistedApp> {
  const site = await startDocumentSite();
  let api = "";
  const dashboard = newDashboardServer({
    ...{ apiUrl: () => api, webUrl: null, proxySecret: null, trustProxy: 0 },
    ...{ look: { name: "Shop", logo: null, colour: null }, root: "/" },
  });
  await new Promise<void>((resolve) => dashboard.listen(0, "127.0.0.1", resolve));
  const web = `http://127.0.0.1:${(dashboard.address() as AddressInfo).port}`;
  const app = await startWrittenApp({
    descriptors,
    options: { tools },
    settings: `app: { name: Shop }
auth:
  check_breached_passwords: false
  operators: [admin]
  apps: { allow: ["${site.host}"] }
server: { host: 127.0.0.1, mcp: ${mcp} }
webhooks: { allow: [127.0.0.1] }
`,
    variables: { SERVICE_WEB_URL: web },
  });
  api = app.url;
  return {
    ...{ app, web, site },
    async close() {
      await new Promise((resolve) => {
        dashboard.closeAllConnections();
        dashboard.close(resolve);
      });
      await app.close();
      await site.close();
    },
  };
}
