import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../bin/embedded/port.js";
import { type RunningProxy, running, startCaddy, startNginx } from "../deploy/proxies.js";
import { toolEnvironment } from "../deploy/tools.js";
import { deployText } from "../deploy/written.js";

/** The proxies behind which servers are attacked, by the names of their programs. */
export type ProxyName = "nginx" | "caddy" | "haproxy";

/** A proxy of one server that answers 403 to everything below these paths. */
export function startDenying(
  name: ProxyName,
  server: number,
  denied: readonly string[],
): Promise<RunningProxy> {
  switch (name) {
    case "nginx": {
      const rules = denied.map((path) => `  location ${path} { return 403; }\n`).join("");
      const text = deployText("deploy/nginx.conf").replace(
        "  location / {",
        `${rules}  location / {`,
      );
      return startNginx(text, [server]);
    }
    case "caddy": {
      const rules = denied.map((path) => `\trespond ${path}* 403\n`).join("");
      const text = deployText("deploy/Caddyfile").replace(
        "\trequest_body {",
        `${rules}\trequest_body {`,
      );
      return startCaddy(text, [server]);
    }
    case "haproxy":
      return startHaproxy(server, denied);
  }
}

async function startHaproxy(server: number, denied: readonly string[]): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "service-haproxy-"));
  const port = await freePort("127.0.0.1");
  const file = join(folder, "haproxy.cfg");
  writeFileSync(
    file,
    `global
  maxconn 200
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
  option forwardfor
  # Requests of several clients share connections to the server.
  http-reuse always
frontend site
  bind 127.0.0.1:${port}
${denied.map((path) => `  http-request deny deny_status 403 if { path_beg ${path} }`).join("\n")}
  default_backend servers
backend servers
  server one 127.0.0.1:${server}
`,
  );
  const child = spawn("haproxy", ["-db", "-f", file], { env: toolEnvironment, stdio: "ignore" });
  return running({ name: "HAProxy", child, port, folder });
}
