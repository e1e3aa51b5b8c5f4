import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** A page in a Chromium without windows, whose authenticator says yes to everything. */
export interface PasskeyPage {
  /** The page's own: `http://localhost:<port>`. */
  readonly origin: string;
  /** `navigator.credentials.create`, from JSON to JSON. */
  create(options: unknown): Promise<unknown>;
  /** `navigator.credentials.get`, from JSON to JSON. */
  get(options: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export const hasChromium = spawnSync("chromium", ["--version"]).status === 0;

/** Starts a Chromium with a virtual authenticator: built in, with resident keys, unlocked by its owner. */
export async function openPasskeyPage(): Promise<PasskeyPage> {
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Passkeys</title>");
  });
  site.listen(0, "localhost");
  await once(site, "listening");
  const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
  const browser = openBrowser();
  const page = await browser.open(origin);
  await page("WebAuthn.enable");
  await page("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });

  async function evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = (await page("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })) as {
      result: { value?: unknown };
      exceptionDetails?: { exception?: { description?: string } };
    };
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? "the page threw something");
    }
    return result.value;
  }

  return {
    origin,
    create: (options) =>
      evaluate(`navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})
      }).then((credential) => credential.toJSON())`),
    get: (options) =>
      evaluate(`navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)})
      }).then((credential) => credential.toJSON())`),
    close: async () => {
      await browser.close();
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
    },
  };
}

/** Sends one command of the DevTools protocol; resolves with its result. */
type Send = (method: string, params?: object) => Promise<unknown>;

interface Browser {
  /** Opens a page; what is returned speaks to it. */
  open(url: string): Promise<Send>;
  close(): Promise<void>;
}

function openBrowser(): Browser {
  const folder = mkdtempSync(join(tmpdir(), "chromium-"));
  const child = spawn(
    "chromium",
    [
      "--headless",
      // Its sandbox refuses to be started by root.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--remote-debugging-pipe",
      `--user-data-dir=${folder}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
  );
  const ended = once(child, "exit");
  const send = speak(child.stdio[3] as Writable, child.stdio[4] as Readable);
  child.once("exit", () => send.end());

  return {
    open: async (url) => {
      const { targetId } = (await send.command("Target.createTarget", {
        url: "about:blank",
      })) as { targetId: string };
      const { sessionId } = (await send.command("Target.attachToTarget", {
        targetId,
        flatten: true,
      })) as { sessionId: string };
      const page: Send = (method, params) => send.command(method, params, sessionId);
      await page("Page.navigate", { url });
      return page;
    },
    close: async () => {
      await send.command("Browser.close");
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The DevTools protocol over two pipes: JSON between NULs. */
function speak(to: Writable, from: Readable) {
  const waiting = new Map<number, Answer>();
  let sent = 0;
  let received = "";
  from.setEncoding("utf8").on("data", (part: string) => {
    const messages = `${received}${part}`.split("\0");
    received = messages.pop() ?? "";
    for (const message of messages) hear(JSON.parse(message));
  });

  function hear({
    id = 0,
    result,
    error,
  }: {
    id?: number;
    result?: unknown;
    error?: object;
  }): void {
    const answer = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(new Error(JSON.stringify(error)));
  }

  return {
    command(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
      sent += 1;
      const id = sent;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      });
    },
    end(): void {
      for (const { reject } of waiting.values()) reject(new Error("Chromium has ended"));
    },
  };
}

interface Answer {
  resolve(value: unknown): void;
  reject(error: Error): void;
}
