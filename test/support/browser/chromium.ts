import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserServer, chromium } from "playwright-core";

const chromiumPath = pathOf("chromium");
/** It draws pages as Chromium does, without a browser's own window around each, which costs more than most pages. */
const shellPath = pathOf("chromium-headless-shell") ?? chromiumPath;

export const hasChromium = chromiumPath !== undefined;

/** For a busy machine: an idle one starts Chromium in a second. */
const startMs = 60_000;

/** Starts a Chromium without windows. */
export function startChromium(): Promise<Browser> {
  return started(chromiumPath, (options) => chromium.launch(options));
}

/** Starts one for the many windows of several processes, which connect to it. */
export function serveChromium(): Promise<BrowserServer> {
  return started(shellPath, (options) => chromium.launchServer(options));
}

/**
 * To the switches of Playwright, which keep Chromium from calling its makers, come those that let nothing leave this
 * machine: where a network is closed, it would wait for each attempt.
 */
async function started<Started>(
  executablePath: string | undefined,
  start: (options: object) => Promise<Started>,
): Promise<Started> {
  if (executablePath === undefined) throw new Error("Chromium is not installed");
  try {
    return await start({
      executablePath,
      timeout: startMs,
      args: [
        // Its sandbox refuses to be started by root.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-proxy-server",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
      ],
    });
  } catch (error) {
    throw new Error(`${executablePath} did not start within ${startMs / 1000} s`, { cause: error });
  }
}

function pathOf(program: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
