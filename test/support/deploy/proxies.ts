import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../bin/embedded/port.js";
import { nginxAround } from "./nginx.js";
import { toolEnvironment } from "./tools.js";

/** A proxy that runs with one of the files of `service init --deploy`. */
export interface RunningProxy {
  readonly name: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** The line of the file's one server becomes one for each of these. */
function withServers(text: string, ports: readonly number[]): string {
  const line = /^.*127\.0\.0\.1:3000.*$/m.exec(text)?.[0] ?? "";
  return text.replace(line, ports.map((port) => line.replace("3000", String(port))).join("\n"));
}

export async function startNginx(
  text: string,
  servers: readonly number[],
  modules: readonly string[] = [],
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "service-nginx-"));
  const port = await freePort("127.0.0.1");
  const site = withServers(text, servers).replace("listen 80;", `listen 127.0.0.1:${port};`);
  writeFileSync(join(folder, "site.conf"), site);
  writeFileSync(
    join(folder, "nginx.conf"),
    nginxAround(folder, join(folder, "site.conf"), modules),
  );
  const child = spawn("nginx", ["-c", join(folder, "nginx.conf"), "-p", folder], {
    env: toolEnvironment,
    stdio: "ignore",
  });
  return running({ name: "nginx", child, port, folder });
}

export async function startCaddy(text: string, servers: readonly number[]): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "service-caddy-"));
  const port = await freePort("127.0.0.1");
  const file = join(folder, "Caddyfile");
  // Its port for administration may be taken.
  writeFileSync(file, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${withServers(text, servers)}`);
  const child = spawn("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
    env: { ...toolEnvironment, HOME: folder, SITE_ADDRESS: `http://:${port}` },
    stdio: "ignore",
  });
  return running({ name: "Caddy", child, port, folder });
}

interface Started {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
  readonly folder: string;
}

/** Waits until a proxy answers. */
export async function running({ name, child, port, folder }: Started): Promise<RunningProxy> {
  const ended = once(child, "exit");
  for (let tries = 100; ; tries -= 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/_service/live`).catch(() => null);
    if (answer?.status === 200) break;
    if (tries === 0 || child.exitCode !== null) throw new Error(`${name} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    name,
    port,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
