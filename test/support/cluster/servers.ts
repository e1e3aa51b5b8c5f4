import { join } from "node:path";
import { execa } from "execa";
import { freePort } from "../../../bin/embedded/port.js";
import { type RunningProxy, startNginx } from "../deploy/proxies.js";
import { deployText } from "../deploy/written.js";
import { until } from "./program.js";

/** Servers of an app behind nginx as `service init --deploy` writes it. */
export interface Servers {
  /** Of nginx. */
  readonly url: string;
  /** Of each server itself. */
  readonly urls: readonly string[];
  /** Starts one of a release, which is the folder of a built app, and waits until it is ready. */
  start(at: number, root: string): Promise<void>;
  /** Restarts one after the other. */
  restartInTurn(root: string): Promise<void>;
  /** Restarts all at once, with these variables. */
  restart(root: string, variables: Readonly<Record<string, string>>): Promise<void>;
  /** Stops one in order; it ends with 0. */
  stop(at: number): Promise<void>;
  kill(at: number): Promise<void>;
  /** Its log since the start. */
  log(at: number): string;
  close(): Promise<void>;
}

type Process = ReturnType<typeof run>;

export async function startServers(
  count: number,
  root: string,
  variables: Readonly<Record<string, string>>,
): Promise<Servers> {
  let env = variables;
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort("127.0.0.1"));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const processes: Process[] = [];
  const logs: string[] = [];

  async function start(at: number, from: string): Promise<void> {
    const started = run(from, { ...env, PORT: String(ports[at]) });
    processes[at] = started;
    logs[at] = "";
    started.stdout.on("data", (chunk) => {
      logs[at] += chunk;
    });
    const isReady = until("the server is ready", async () => {
      return (await fetch(`${urls[at]}/api/_service/ready`)).status === 200;
    });
    const hasEnded = started.then(({ exitCode, stderr }) => {
      throw new Error(`a server ended with ${exitCode}: ${stderr}`);
    });
    await Promise.race([isReady, hasEnded]);
    // It ends later, which is no mistake.
    hasEnded.catch(() => {});
  }

  async function stop(at: number): Promise<void> {
    // Not execa's own way, which kills after five seconds.
    process.kill(processes[at]?.pid ?? 0, "SIGTERM");
    const ended = await processes[at];
    if (ended?.exitCode !== 0) throw new Error(`a server ended with ${ended?.exitCode}`);
  }

  async function kill(at: number): Promise<void> {
    processes[at]?.kill("SIGKILL");
    await processes[at];
  }

  await Promise.all(ports.map((_, at) => start(at, root)));
  const nginx: RunningProxy = await startNginx(deployText("deploy/nginx.conf"), ports);
  return {
    url: `http://127.0.0.1:${nginx.port}`,
    urls,
    start,
    restartInTurn: async (from) => {
      for (const at of ports.keys()) {
        await stop(at);
        await start(at, from);
      }
    },
    restart: async (from, others) => {
      env = { ...env, ...others };
      await Promise.all(ports.map((_, at) => stop(at)));
      await Promise.all(ports.map((_, at) => start(at, from)));
    },
    stop,
    kill,
    log: (at) => logs[at] ?? "",
    close: async () => {
      await nginx.stop();
      await Promise.all(processes.map((_, at) => kill(at)));
    },
  };
}

function run(root: string, env: Readonly<Record<string, string>>) {
  return execa(process.execPath, [join("dist", "server.js")], {
    cwd: root,
    env: {
      SERVICE_LOG_LEVEL: "warn",
      SERVICE_SECRET: "a secret of the tests, long enough",
      ...env,
    },
    reject: false,
  });
}
