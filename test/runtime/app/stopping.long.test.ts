import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isRunning } from "../../support/processes/processes.js";
import { openHost, type ShopHost, type ShopServer } from "../../support/processes/shop-process.js";
import { getAnew, instances, workersOf } from "../../support/processes/workers.js";

let host: ShopHost;
beforeAll(async () => {
  host = await openHost(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of service.yaml.
    "server: { workers: '${WORKERS:-2}', drain_delay_seconds: '${DELAY:-0}' }\n",
  );
});
afterAll(() => host.close());

/** What `ready` answers on some new connections, and so in every process. */
async function readiness({ anonymous }: ShopServer): Promise<Set<unknown>> {
  const found = new Set<unknown>();
  for (let asked = 0; asked < 8; asked += 1) {
    const { status, body } = await getAnew(anonymous, "/_service/ready");
    found.add(`${status} ${(body as { status: string }).status}`);
  }
  return found;
}

test.for(["1", "2"])(
  "during the delay %s processes announce that they drain, and serve new connections",
  async (workers) => {
    const server = await host.serve({ WORKERS: workers, DELAY: "600" });
    expect(await readiness(server)).toEqual(new Set(["200 ok"]));
    server.process.kill("SIGTERM");
    await expect.poll(() => readiness(server)).toEqual(new Set(["503 draining"]));
    expect((await getAnew(server.anonymous, "/_service/live")).status).toBe(200);
    const reply = await server.admin.post("/categories", { name: `Late ${server.url}` });
    expect(reply.status).toBe(201);
    expect((await getAnew(server.anonymous, "/auth/config")).headers.connection).toBe("close");
    await sleep(600);
    const children = workersOf(server.process);
    server.process.kill("SIGTERM");
    expect((await server.process).exitCode).toBe(1);
    await expect.poll(() => children.filter(isRunning)).toEqual([]);
  },
);

test.for(["2", "1"])("after the delay %s processes exit with 0", async (workers) => {
  const server = await host.serve({ WORKERS: workers, DELAY: "1" });
  server.process.kill("SIGTERM");
  const { exitCode, stdout } = await server.process;
  expect(exitCode).toBe(0);
  expect(stdout).toContain("The server is draining and will stop");
});

test("SIGINT skips the delay", async () => {
  const server = await host.serve({ WORKERS: "1", DELAY: "600" });
  server.process.kill("SIGINT");
  expect((await server.process).exitCode).toBe(0);
});

test("SIGHUP replaces the processes by ones with the code on the disk, and no request notices", async () => {
  const server = await host.serve();
  let said = "";
  server.process.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const before = await instances(server);
  const settings = join(host.root, "service.yaml");
  const was = readFileSync(settings, "utf8");
  const load = keepAsking(server);
  writeFileSync(settings, was.replace("auth: {", "auth: { registration: true,"));
  server.process.kill("SIGHUP");
  await expect.poll(() => said).toContain("The server processes were replaced");
  const renewed = await instances(server);
  expect([...renewed].filter((one) => before.has(one))).toEqual([]);
  const { failed, sent } = await load.end();
  expect(failed).toEqual([]);
  expect(sent).toBeGreaterThan(0);
  const { body } = await getAnew(server.anonymous, "/auth/config");
  expect(body).toMatchObject({ registration: true });

  writeFileSync(settings, "server: { workers: none }\n");
  server.process.kill("SIGHUP");
  const refusal = "The previous server processes keep running: the new ones did not start";
  await expect.poll(() => said).toContain(refusal);
  writeFileSync(settings, was);
  const program = join(host.root, "dist/server.js");
  const code = readFileSync(program, "utf8");
  writeFileSync(program, `process.exit(3);\n${code}`);
  said = "";
  server.process.kill("SIGHUP");
  await expect.poll(() => said).toContain(`"reason":"exit status 3","msg":"${refusal}`);
  writeFileSync(program, code);
  expect(await instances(server)).toEqual(renewed);
  server.process.kill("SIGTERM");
  expect((await server.process).exitCode).toBe(0);
});

/** Sends requests on connections that are kept, and on new ones, until it is told to end. */
function keepAsking({ admin, anonymous, url }: ShopServer) {
  const failed: unknown[] = [];
  let sent = 0;
  let isOver = false;
  const ask = async (send: () => Promise<{ readonly status: number }>) => {
    while (!isOver) {
      sent += 1;
      const status = await send().then(
        (reply) => reply.status,
        (error: unknown) => error,
      );
      if (status !== 200 && status !== 201) failed.push(status);
    }
  };
  let names = 0;
  const asking = [
    ask(() => admin.get("/categories")),
    ask(() => {
      names += 1;
      return admin.post("/categories", { name: `${url} ${names}` });
    }),
    ask(() => getAnew(anonymous, "/auth/config")),
  ];
  return {
    end: async () => {
      isOver = true;
      await Promise.all(asking);
      return { failed, sent };
    },
  };
}
