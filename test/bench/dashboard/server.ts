import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../../bin/embedded/port.js";
import { onClose } from "../closing.js";
import { shop } from "../servers.js";

/** `service dashboard` as a process of its own before that API; answers its address. */
export async function startDashboard(apiUrl: string): Promise<string> {
  const port = await freePort("127.0.0.1");
  const url = `http://localhost:${port}`;
  const command = join(import.meta.dirname, "../../../bundle/service.js");
  const child = spawn(process.execPath, [command, "-C", shop, "dashboard"], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      SERVICE_API_URL: apiUrl,
      SERVICE_WEB_URL: url,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  onClose(() => void child.kill("SIGKILL"));
  for (let tries = 0; tries < 100 && child.exitCode === null; tries += 1) {
    if (await fetch(url).catch(() => null)) return url;
    await sleep(100);
  }
  throw new Error(`The dashboard does not answer at ${url}`);
}
