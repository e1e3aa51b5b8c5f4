import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { migrate } from "../../runtime/migrate/index.js";
import { localTools } from "../support/processes/tools.js";
import { type Figure, figure, middle, middleOf, timed } from "./figure.js";
import { residentMemory, shop } from "./servers.js";

const repository = join(import.meta.dirname, "../../..");
const service = join(repository, "dist/bundle/service.js");

/** The shop's server on that database: from its start to its first answer, and what it holds then. */
export async function measureStart(databaseUrl: string): Promise<readonly Figure[]> {
  await execa("tsc", ["-p", shop], { ...localTools, cwd: repository });
  await migrate({ url: databaseUrl, directory: join(shop, "migrations") });
  const times: number[] = [];
  const memory: number[] = [];
  for (let run = 0; run < 7; run += 1) {
    const started = await startShop(databaseUrl);
    times.push(started.milliseconds);
    memory.push(started.megabytes);
  }
  return [
    figure("server, start to first answer", middle(times), { target: 600, unit: "ms" }),
    figure("server, memory at rest", middle(memory), { target: 110, unit: "MB" }),
  ];
}

/** The command's own start: what everybody waits for before anything happens. */
export async function measureCommand(): Promise<readonly Figure[]> {
  const only = { target: null, unit: "ms" } as const;
  const node = await middleOf(7, () => timed(["--eval", ""]));
  const help = await middleOf(7, () => timed([service, "--help"]));
  return [figure("node alone", node, only), figure("service --help", help, only)];
}

async function startShop(databaseUrl: string) {
  const start = performance.now();
  const server = run(databaseUrl);
  try {
    const response = await fetch(`${await addressOf(server)}/api/_service/ping`, {
      headers: { connection: "close" },
    });
    if (!response.ok) throw new Error(`The first answer was ${response.status}`);
    const milliseconds = Math.round(performance.now() - start);
    await sleep(500);
    return { milliseconds, megabytes: residentMemory(server.pid) };
  } finally {
    server.kill("SIGKILL");
    await server;
  }
}

function run(databaseUrl: string) {
  return execa(process.execPath, ["dist/server.js"], {
    cwd: shop,
    reject: false,
    env: {
      DATABASE_URL: databaseUrl,
      PORT: "0",
      SERVICE_LOG_LEVEL: "info",
      SERVICE_SECRET: "a secret for measuring, long enough",
    },
  });
}

type ServerProcess = ReturnType<typeof run>;

/** From the line with which the server says that it listens. */
function addressOf(server: ServerProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const address = /"address":"([^"]+)"/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    server.then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)), reject);
  });
}
