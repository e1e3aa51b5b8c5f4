import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created } from "../support/apps/shop.js";
import { hasTool } from "../support/deploy/tools.js";
import type { Row } from "../support/http/client.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { isAudit } from "../support/searches.js";

// Programs that others attack with. They take minutes, and tell no more than our own tests until those forget something.
const hasSqlmap = isAudit && hasTool("sqlmap", "--version");
// It has no option that it ends well with.
const hasSlow = isAudit && spawnSync("slowhttptest", ["-h"]).error === undefined;

describe.skipIf(!hasSqlmap && !hasSlow)("attack tools", () => {
  let host: ShopHost;
  let server: ShopServer;
  let product: Row;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "attack-tools-"));
    host = await openHost("limits: { per_token_at_once: 0 }\n");
    server = await host.serve();
    const fields = { name: "Lamp", price: 1, categoryId: server.category.id };
    product = await created(server.admin, "products", fields);
  });
  afterAll(async () => {
    await host.close();
    rmSync(folder, { recursive: true });
  });

  test.skipIf(!hasSqlmap).each<readonly [string, string, string | null]>([
    [
      "lists",
      "/products?q=lamp&sort=name&filter[name]=Lamp&filter[price][gt]=0&perPage=5&page=1",
      null,
    ],
    ["where", '/products?where={"name":{"contains":"Lamp*"},"price":{"gt":0*}}', null],
    ["groups", "/products/_aggregate?by=status&sum=price&sort=count&timezone=UTC", null],
    ["statistics", "/products/_stats?field=status&days=7&series=day&timezone=UTC", null],
    ["an id", "/products/ID*", null],
    ["queries", "/products/_query", '{"q":"lamp*","sort":["name*"],"where":{"name":"Lamp*"}}'],
    [
      "records",
      "/products",
      '{"name":"A*","price":"1*","categoryId":"CATEGORY*","status":"draft*"}',
    ],
    ["sign-ins", "/auth/token", '{"email":"admin@example.com*","password":"a password*"}'],
  ])("sqlmap finds no way into %s", { timeout: 600_000 }, async (_, path, body) => {
    const filled = (text: string) =>
      text.replace("ID", product.id).replace("CATEGORY", String(server.category.id));
    const { stdout } = await execa(
      "sqlmap",
      [
        ...["--batch", "--disable-coloring", "--dbms", "postgresql", "--level", "2", "--risk", "2"],
        ...["--technique", "BEUSQ", "--threads", "2", "--timeout", "10", "--retries", "1"],
        ...["--ignore-code", "400,401,403,404,409,422,429", "--flush-session"],
        ...["--output-dir", folder, "--headers", `Authorization: Bearer ${server.token}`],
        ...["-u", `${server.url}/api${filled(path)}`],
        ...(body === null
          ? []
          : ["--method", "POST", "--data", filled(body), "-H", "Content-Type: application/json"]),
      ],
      { reject: false, timeout: 580_000, stdin: "ignore", env: { HOME: folder } },
    );
    expect(stdout).toMatch(/all tested parameters do not appear to be injectable/);
    expect(stdout).not.toMatch(/is vulnerable|injection point\(s\)|Internal Server Error/);
    expect((await server.admin.get(`/products/${product.id}`)).body).toEqual(product);
  });

  test.skipIf(!hasSlow).each([
    ["heads", ["-H", "-x", "24"]],
    ["bodies", ["-B", "-s", "60000", "-f", "application/json", "-x", "10"]],
    ["reading", ["-X", "-w", "10", "-y", "20", "-n", "5", "-z", "32", "-k", "3"]],
    ["ranges", ["-R", "-a", "10", "-b", "3000", "-t", "HEAD"]],
  ])("slowhttptest does not slow others down by slow %s", { timeout: 120_000 }, async (_, mode) => {
    const url = `${server.url}/api/_service/ping`;
    const general = ["-c", "800", "-r", "200", "-i", "3", "-l", "20", "-p", "2", "-u", url];
    const running = execa("slowhttptest", [...mode, ...general], { reject: false });
    const times: number[] = [];
    let isOver = false;
    void running.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const start = performance.now();
      expect((await server.admin.get("/products?perPage=5")).status).toBe(200);
      times.push(performance.now() - start);
      await sleep(50);
    }
    const said = stripVTControlCharacters((await running).stdout);
    expect(said).toMatch(/service available: +YES/);
    expect(said).not.toMatch(/service available: +NO/);
    const slowest = Math.max(...times);
    process.stderr.write(
      `${mode[0]}: ${times.length} answers, the slowest ${Math.round(slowest)} ms\n`,
    );
    expect(times.length).toBeGreaterThan(20);
    expect(slowest).toBeLessThan(3_000);
    expect(server.process.exitCode).toBe(null);
  });
});
