import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHost, type ShopHost } from "../support/processes/shop-process.js";
import { instances, severalWorkers } from "../support/processes/workers.js";

let host: ShopHost;
beforeAll(async () => {
  host = await openHost();
  const auth = "auth: { check_breached_passwords: false, operators: [admin] }\n";
  writeFileSync(join(host.root, "service.yaml"), auth + severalWorkers);
});
afterAll(() => host.close());

interface Status {
  readonly processes: number;
  readonly requests: { readonly minutes: readonly { readonly count: number }[] };
}

test("the status counts the requests of all processes of the machine", async () => {
  const server = await host.serve({ WORKERS: "3" });
  expect((await instances(server, 30)).size).toBe(3);
  const { status, body, text } = await server.admin.get<Status>("/_service/status");
  expect(status, text).toBe(200);
  expect(body.processes).toBe(3);
  // The sign-in, the category, and those of `instances`.
  expect(body.requests.minutes.reduce((sum, { count }) => sum + count, 0)).toBe(32);
});
