import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fail, sayAside, sayDone } from "../report.js";
import type { Built } from "./build.js";
import { freePort } from "./port.js";

/** The app's server as a child process; at most one at a time. */
export interface DevelopmentServer {
  /** Stops the one that runs and starts another. Resolves when it is started, not when it answers. */
  restart(built: Built): Promise<void>;
  /** Lets requests under way finish for a moment. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
  isRunning(): boolean;
}

/** Milliseconds that a server gets to finish what it is doing. */
const patience = 5_000;

export function newDevelopmentServer(root: string): DevelopmentServer {
  let child: ChildProcess | null = null;
  /** Whose end is no news. */
  const asked = new WeakSet<ChildProcess>();
  let last = { wished: 0, port: 0 };

  /** The same as before if possible, so that whoever uses the app need not look for it. */
  async function choosePort(host: string, wished: number): Promise<number> {
    const port = await freePort(host, last.wished === wished ? last.port : wished);
    if (port !== wished && port !== last.port && wished !== 0) {
      sayAside(`Port ${wished} is taken; using ${port}`);
    }
    last = { wished, port };
    return port;
  }

  async function stop(): Promise<void> {
    if (child === null) return;
    const stopping = child;
    const ended = once(stopping, "exit");
    asked.add(stopping);
    const late = setTimeout(() => stopping.kill("SIGKILL"), patience);
    stopping.kill("SIGTERM");
    await ended;
    clearTimeout(late);
  }

  return {
    async restart({ entry, config, environment }) {
      await stop();
      const { host, port: wished } = config.server;
      const port = await choosePort(host, wished);
      const started = spawn(process.execPath, ["--import", tether, entry], {
        cwd: root,
        stdio: ["ignore", "inherit", "inherit", "ipc"],
        env: {
          NODE_ENV: "development",
          ...environment,
          DATABASE_URL: config.database.url,
          PORT: String(port),
        },
      });
      child = started;
      started.once("exit", (status, signal) => {
        child = null;
        if (asked.has(started)) return;
        fail(`The server ended (${signal ?? `exit status ${status}`}); waiting for a change`);
      });
      void announce(started, { name: config.app.name, host: reachable(host), port });
    },
    stop,
    kill() {
      child?.kill("SIGKILL");
    },
    isRunning: () => child !== null,
  };
}

const tether = import.meta.resolve("./tether.js");

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Tells the address as soon as the server takes connections there. */
async function announce(server: ChildProcess, { name, host, port }: Listening): Promise<void> {
  while (!hasEnded(server)) {
    if (await takesConnections(host, port)) {
      sayDone(`${name} answers on http://${host.includes(":") ? `[${host}]` : host}:${port}/api`);
      return;
    }
    await sleep(100);
  }
}

interface Listening {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

async function takesConnections(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Where to reach a server that listens on that host; one that listens everywhere is here too. */
function reachable(host: string): string {
  return { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
}
