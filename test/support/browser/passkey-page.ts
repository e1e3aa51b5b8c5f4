import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startChromium } from "./chromium.js";

/** A page in a Chromium without windows, whose authenticator says yes to everything. */
export interface PasskeyPage {
  /** The page's own: `http://localhost:<port>`. */
  readonly origin: string;
  /** Opens the page on another host of the same port; the authenticator stays. */
  move(host: "localhost" | "shop.localhost"): Promise<void>;
  /** `navigator.credentials.create`, from JSON to JSON. */
  create(options: unknown): Promise<unknown>;
  /** `navigator.credentials.get`, from JSON to JSON. */
  get(options: unknown): Promise<unknown>;
  /** The value of an expression, once it is there. */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts a Chromium with a virtual authenticator: built in, with resident keys, unlocked by its owner. */
export async function openPasskeyPage(): Promise<PasskeyPage> {
  const browser = await startChromium();
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Passkeys</title>");
  });
  site.listen(0, "localhost");
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  const originOf = (host: string) => `http://${host}:${port}`;
  const origin = originOf("localhost");
  const page = await browser.newPage();
  await page.goto(origin);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });

  return {
    origin,
    move: async (host) => {
      await page.goto(originOf(host));
    },
    evaluate: (expression) => page.evaluate(expression),
    create: (options) =>
      page.evaluate(`navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})
      }).then((credential) => credential.toJSON())`),
    get: (options) =>
      page.evaluate(`navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)})
      }).then((credential) => credential.toJSON())`),
    close: async () => {
      await browser.close();
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
    },
  };
}
