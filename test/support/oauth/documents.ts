import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "../http/certificate.js";

/** A site with documents of apps, over https with a certificate that no authority has signed. */
export interface DocumentSite {
  /** With its port, as `auth.apps.allow` has it. */
  readonly host: string;
  readonly origin: string;
  /** The paths that were asked for. */
  readonly asked: string[];
  /** Publishes a document: an object is completed by its own address; a function answers by itself. */
  publish(path: string, document: object | RequestListener): string;
  close(): Promise<void>;
}

/** Where the apps of these tests are sent back to. */
export const callback = "https://app.example.com/callback";

export async function startDocumentSite(): Promise<DocumentSite> {
  const { privateKey, certificate } = await selfSigned("CN=localhost", ["127.0.0.1"]);
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const documents = new Map<string, object | RequestListener>();
  const asked: string[] = [];
  const server = createServer({ key, cert: certificate.toString("pem") }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const origin = `https://${host}`;
  const former = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = "" } = request;
    asked.push(url);
    const document = documents.get(url);
    if (typeof document === "function") {
      document(request, response);
      return;
    }
    const found = document && {
      client_id: `${origin}${url}`,
      client_name: "Test assistant",
      redirect_uris: [callback],
      token_endpoint_auth_method: "none",
      ...document,
    };
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(found ?? {}));
  }

  return {
    host,
    origin,
    asked,
    publish(path, document) {
      documents.set(path, document);
      return `${origin}${path}`;
    },
    close: () => {
      if (former === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = former;
      return new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      });
    },
  };
}
