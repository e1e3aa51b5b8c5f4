import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../bin/embedded/port.js";
import { type RunningProxy, running, startCaddy, startNginx } from "./proxies.js";
import { hasTool, toolEnvironment } from "./tools.js";

/** A proxy that compresses what it passes on. */
export interface CompressingProxy {
  readonly name: string;
  /** What is asked for in `Accept-Encoding`. */
  readonly coding: "gzip" | "br" | "zstd";
  /** Newer versions of Caddy than Debian's do so too. */
  readonly changesTags: boolean;
  readonly isInstalled: boolean;
  readonly start: (server: number) => Promise<RunningProxy>;
}

const brotli = "/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so";
const apacheModules = "/usr/lib/apache2/modules";

/** Those that servers are put behind, as their manuals configure them. */
export const compressingProxies: readonly CompressingProxy[] = [
  {
    name: "nginx",
    coding: "gzip",
    changesTags: true,
    isInstalled: hasTool("nginx", "-v"),
    start: (server) =>
      startNginx(nginxSite("gzip on; gzip_types application/json; gzip_proxied any;"), [server]),
  },
  {
    name: "nginx",
    coding: "br",
    changesTags: true,
    isInstalled: hasTool("nginx", "-v") && existsSync(brotli),
    start: (server) =>
      startNginx(nginxSite("brotli on; brotli_types application/json;"), [server], [brotli]),
  },
  ...(["gzip", "zstd"] as const).map((coding) => ({
    name: "Caddy",
    coding,
    changesTags: false,
    isInstalled: hasTool("caddy", "version"),
    start: (server: number) => startCaddy(caddyFile(coding), [server]),
  })),
  ...(["gzip", "br"] as const).map((coding) => ({
    name: "Apache",
    coding,
    changesTags: true,
    isInstalled: hasTool("apache2", "-v") && existsSync(apacheModules),
    start: startApache,
  })),
];

function nginxSite(compression: string): string {
  return `server {
  listen 80;
  ${compression}
  location / {
    proxy_pass http://127.0.0.1:3000;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
  }
}
`;
}

function caddyFile(coding: string): string {
  return `{$SITE_ADDRESS} {
	encode ${coding}
	reverse_proxy {
		to 127.0.0.1:3000
	}
}
`;
}

async function startApache(server: number): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "service-apache-"));
  const port = await freePort("127.0.0.1");
  const file = join(folder, "apache2.conf");
  const modules = ["mpm_event", "authz_core", "filter", "deflate", "brotli", "proxy", "proxy_http"];
  writeFileSync(
    file,
    `ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/apache2.pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
${process.getuid?.() === 0 ? "User nobody\nGroup nogroup\n" : ""}
${modules.map((name) => `LoadModule ${name}_module ${apacheModules}/mod_${name}.so`).join("\n")}
Listen 127.0.0.1:${port}
SetOutputFilter BROTLI_COMPRESS;DEFLATE
ProxyPreserveHost On
ProxyPass / http://127.0.0.1:${server}/
`,
  );
  const child = spawn("apache2", ["-D", "FOREGROUND", "-f", file], {
    env: toolEnvironment,
    stdio: "ignore",
  });
  return running({ name: "Apache", child, port, folder });
}
