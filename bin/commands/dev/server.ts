import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { portOpenMessage } from "../../../runtime/app/index.js";
import { addressOf } from "../../../runtime/command/app/address.js";
import {
  fail,
  outputTerminal,
  passOn,
  sayAside,
  sayDone,
} from "../../../runtime/command/report.js";
import type { Environment } from "../../../runtime/config/index.js";
import { freePort } from "../../embedded/port.js";
import { reportKnown } from "../../failure.js";
import type { Built } from "./build.js";
import type { DevelopmentDashboard } from "./dashboard.js";
import { newHeldPort } from "./held-port.js";
import { describeFault, faultEvent } from "./output/fault.js";
import { newLogPrinter } from "./output/log-lines.js";

/**
 * Sent when the server's process is ready to listen; published by `runtime/app` and forwarded by the preloaded module.
 */
const portEvent = z.literal("wanted");

/** The app's server as a child process; at most one runs at a time. */
export interface DevelopmentServer {
  /**
   * Stops the running server and starts a new one, while connections wait. Resolves after the start, possibly before
   * the server responds to requests.
   */
  restart(built: Built): Promise<void>;
  /** Releases the port and gives requests in progress a moment to finish. */
  stop(): Promise<void>;
  kill(): void;
  isRunning(): boolean;
}

/** Milliseconds for requests in progress to finish. */
const shutdownMs = 5_000;

/** Maximum number of attempts, each with a port that was free but may since have been taken. */
const maxAttempts = 5;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share the server's state
export function newDevelopmentServer(
  root: string,
  dashboard: DevelopmentDashboard,
): DevelopmentServer {
  const heldPort = newHeldPort();
  let child: ChildProcess | null = null;
  /** The app to run; null while none should run. */
  let wanted: Built | null = null;
  let last = { wished: 0, port: 0 };
  /** The settings that the API needs for the dashboard. */
  let shared: Environment = {};
  /** The number of consecutive uncaught errors that have ended the server since the last change of a file. */
  let faults = 0;

  /** Keeps the previous port if possible, so that open pages and clients keep working. */
  async function start(built: Built): Promise<void> {
    const { host, port: wished } = built.config.server;
    const from = last.wished === wished ? last.port : wished;
    if (heldPort.isOpenAt({ host, port: from })) return run(built, from, maxAttempts);
    // A server that listens on all addresses occupies the port of the loopback address too.
    heldPort.free();
    const port = await freePort(host, from);
    if (wanted !== built) return;
    if (port !== from && from !== 0) sayAside(`Port ${from} is taken; using ${port}`);
    run(built, port, maxAttempts);
  }

  function run(built: Built, port: number, left: number): void {
    const { entry, config, environment } = built;
    last = { wished: config.server.port, port };
    const apiUrl = addressOf(config.server.host, port);
    dashboard.pointTo(apiUrl);
    const started = spawn(process.execPath, ["--enable-source-maps", "--import", preload, entry], {
      cwd: root,
      stdio: ["ignore", isTerminal ? "pipe" : "inherit", "inherit", "ipc"],
      env: {
        ...environment,
        // An empty value counts as unset.
        NODE_ENV: environment.NODE_ENV || "development",
        DATABASE_URL: config.database.url,
        PORT: String(port),
        ...shared,
      },
    });
    child = started;
    heldPort.serveBy(started);
    if (started.stdout !== null) printLog(started.stdout);
    let isTaken = false;
    let isRefused = false;
    let fault: string | null = null;
    started.on("message", (message) => {
      const { data: thrown } = faultEvent.safeParse(message);
      if (thrown !== undefined) fault = describeFault(thrown, root);
      // The app may send messages too.
      if (portEvent.safeParse(message).success) void openPort();
    });
    // Unlike `exit`, `close` is emitted after the last message.
    started.once("close", (status, signal) => {
      child = null;
      if (wanted !== built) return;
      if (isTaken && left > 1) {
        void retry(built, port, left - 1);
        return;
      }
      if (fault !== null) {
        fail(`${fault}\nThe server restarts`);
        faults += 1;
        void startAgain(built, pauseAfter(faults));
        return;
      }
      heldPort.refuse();
      if (isTaken) fail(`Port ${port} is taken; waiting for a change`);
      else if (isRefused) sayAside("Waiting for a change");
      else fail(`The server ended (${signal ?? `exit status ${status}`}); waiting for a change`);
    });

    async function openPort(): Promise<void> {
      try {
        isTaken = !(await heldPort.open({ host: config.server.host, port }));
      } catch (error) {
        if (!reportKnown(error)) throw error;
        isRefused = true;
      }
      if (child !== started || wanted !== built) return;
      if (isTaken || isRefused) {
        started.kill("SIGKILL");
        return;
      }
      sayDone(`${config.app.name} is listening: it answers on ${apiUrl}/api`);
      // A server that exits before reading this is detected by its exit.
      started.send(portOpenMessage, () => {});
    }
  }

  async function startAgain(built: Built, ms: number): Promise<void> {
    await sleep(ms);
    if (wanted === built && child === null) await start(built);
  }

  /** Retries with another port, as this one was taken after it had been found free. */
  async function retry(built: Built, taken: number, left: number): Promise<void> {
    const port = await freePort(built.config.server.host, taken + 1);
    if (wanted !== built) return;
    sayAside(`Port ${taken} is taken; using ${port}`);
    run(built, port, left);
  }

  async function end(): Promise<void> {
    wanted = null;
    if (child === null) return;
    const stopping = child;
    const ended = once(stopping, "close");
    const late = setTimeout(() => stopping.kill("SIGKILL"), shutdownMs);
    stopping.kill("SIGTERM");
    await ended;
    clearTimeout(late);
  }

  return {
    async restart(built) {
      heldPort.wait();
      await end();
      shared = await dashboard.open(built);
      wanted = built;
      faults = 0;
      await start(built);
    },
    async stop() {
      heldPort.close();
      await end();
    },
    kill() {
      child?.kill("SIGKILL");
    },
    isRunning: () => child !== null,
  };
}

/** Without a terminal, another program reads the log, so its entries remain JSON. */
const { isTerminal, hasColours } = outputTerminal();

function printLog(output: Readable): void {
  const print = newLogPrinter({ colours: hasColours });
  createInterface({ input: output }).on("line", (line) => passOn(print(line)));
}

/**
 * Returns the milliseconds from an uncaught error to the next start: 0 at first, then half a second, doubling each
 * time.
 */
function pauseAfter(faults: number): number {
  return faults < 2 ? 0 : Math.min(500 * 2 ** (faults - 2), 30_000);
}

const preload = import.meta.resolve("#preload");
