import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created } from "../../support/apps/shop.js";
import type { Reply } from "../../support/http/client.js";
import { account, openHost, type ShopHost } from "../../support/processes/shop-process.js";
import { getAnew, instances, workersOf } from "../../support/processes/workers.js";

let host: ShopHost;
beforeAll(async () => {
  host = await openHost(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of service.yaml.
    "server: { workers: '${WORKERS:-1}' }\nlimits: { per_token: '${TOKEN:-0}', per_client: '${CLIENT:-0}', sign_in_per_client: '${SIGN_IN:-0}' }\n",
  );
});
afterAll(() => host.close());

/** The statuses of so many requests, 16 at a time; 0 for one whose connection broke. */
async function flood(count: number, ask: () => Promise<Reply>): Promise<readonly number[]> {
  const statuses: number[] = [];
  let sent = 0;
  const one = async () => {
    while (sent < count) {
      sent += 1;
      const status = await ask().then(
        (reply) => reply.status,
        () => 0,
      );
      statuses.push(status);
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
  return statuses;
}

test("the processes of a machine count together", async () => {
  const server = await host.serve({ WORKERS: "3", CLIENT: "60/h" });
  // The sign-in and a category were two.
  expect((await instances(server, 30)).size).toBe(3);
  const statuses: number[] = [];
  for (let sent = 0; sent < 40; sent += 1) {
    statuses.push((await getAnew(server.anonymous, "/auth/config")).status);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(28);
  expect(statuses.filter((status) => status === 429)).toHaveLength(12);
  expect((await getAnew(server.anonymous, "/_service/ready")).status).toBe(200);
});

test("exactly the allowed number pass over all processes", async () => {
  const server = await host.serve({ WORKERS: "4", CLIENT: "2500/min", TOKEN: "1500/s" });
  const { admin, anonymous, category } = server;
  expect((await instances(server, 20)).size).toBe(4);
  const read = () => admin.get(`/categories/${category.id}`);
  expect(new Set(await flood(600, read))).toEqual(new Set([200]));
  // Longer than the span of the token.
  await sleep(1_500);
  // The sign-in and the category were two more, and the search for the processes was 20.
  expect((await read()).headers.ratelimit).toMatch(
    /^"per_token";r=1499;t=1, "per_client";r=1877;t=\d+$/,
  );
  const statuses = await flood(2_100, () => anonymous.get("/nowhere"));
  expect(statuses.filter((status) => status === 404)).toHaveLength(1_877);
  expect(statuses.filter((status) => status === 429)).toHaveLength(223);
}, 30_000);

test("while workers are killed and replaced, exactly the allowed number pass", async () => {
  const server = await host.serve({ WORKERS: "4", CLIENT: "3000/min" });
  expect((await instances(server, 20)).size).toBe(4);
  let said = "";
  server.process.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const ask = () => server.anonymous.get("/nowhere");
  const first = flood(1_000, ask);
  await sleep(150);
  process.kill(workersOf(server.process)[0] ?? 0, "SIGKILL");
  const statuses = [...(await first)];
  await expect.poll(() => said).toContain("A server process is replaced");
  const second = flood(600, ask);
  await sleep(100);
  server.process.kill("SIGHUP");
  statuses.push(...(await second));
  await expect.poll(() => said).toContain("The server processes were replaced");
  statuses.push(...(await flood(2_500, ask)));
  const passed = statuses.filter((status) => status === 404).length;
  // The sign-in, the category and the search for the processes were 22 more.
  expect(passed).toBeLessThanOrEqual(3_000 - 22);
  // Those that a worker was answering when it was killed may have been counted.
  const lost = statuses.filter((status) => ![404, 429].includes(status)).length;
  expect(passed).toBeGreaterThanOrEqual(3_000 - 22 - lost);
  expect(lost).toBeLessThan(16);
}, 60_000);

test("a token's limit applies to every way of reading", async () => {
  const server = await host.serve({ TOKEN: "4/h" });
  const { admin, category } = server;
  // The category was one.
  expect((await admin.get(`/categories/${category.id}`)).headers.ratelimit).toMatch(/r=2;/);
  expect((await admin.get("/categories?sort=nothing")).status).toBe(400);
  expect((await admin.get("/categories")).headers.ratelimit).toMatch(/r=0;/);
  for (const path of [`/categories/${category.id}`, "/categories", "/_service/resources"]) {
    expect((await admin.get(path)).status, path).toBe(429);
  }
});

test("a client that guesses passwords gets 429", async () => {
  const server = await host.serve({ SIGN_IN: "3/h" });
  const guess = () => server.anonymous.post("/auth/token", { ...account, password: "a wrong one" });
  expect((await guess()).status).toBe(401);
  expect((await guess()).status).toBe(401);
  const refused = await guess();
  expect([refused.status, refused.body]).toMatchObject([429, { code: "TOO_MANY_ATTEMPTS" }]);
  await created(server.admin, "categories", { name: `Others of ${server.url} go on` });
});

test.for(["0/min", "1000001/h", "5/day", "-1/s", "many"])(
  "%s is refused at the start",
  async (limit) => {
    const { exitCode, stderr } = await host.run({ CLIENT: limit });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^service\.yaml:3:\d+: limits\.per_client must be 0 for no limit, or <n>\/s/,
      ),
    ]);
  },
);
