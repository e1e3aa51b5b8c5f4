import { expect } from "vitest";
import { journey } from "./support/journey.js";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

interface Status {
  readonly requests: { readonly minutes: readonly object[] };
}

journey("operators find the state of the server, and refresh it", async ({ stage, open }) => {
  const visit = await open({ as: await stage.person("Watches", "admin"), at: "/" });
  const { page } = visit;
  // On a machine that is busy with other tests a statement may have been slow, so that the answer is set to none.
  await page.route("**/api/_service/status", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as Status), slow: [] } });
  });
  await page.getByRole("link", { name: "Status" }).click();
  await page.getByRole("heading", { level: 1, name: "Status" }).waitFor();
  const health = page.getByRole("region", { name: "Health" });
  await health.getByText("ready", { exact: true }).waitFor();
  expect((await health.getByRole("listitem").allInnerTexts()).map(inOneLine)).toEqual([
    "Database works",
    "Migrations works",
    "File storage works",
    "Mail server works",
  ]);
  await health.getByText(/^Version \d+\.\d+\.\d+, 1 process, running since /).waitFor();
  const figures = page.getByRole("region", { name: "Figures" });
  const names = (await figures.getByRole("listitem").allInnerTexts()).map(
    (text) => text.split("\n")[0],
  );
  expect(names).toEqual([
    "Requests a second",
    "Errors",
    "99 of 100 requests within",
    "Waiting mails",
    "Database connections",
    "Database",
    "Stored files",
    "Pending migrations",
  ]);
  await page.getByRole("img", { name: /^Requests\. 60 bars, from / }).waitFor();
  await visit.rest();
  await page.getByRole("button", { name: "Show as table: Size of tables" }).press("Enter");
  await page.getByRole("row", { name: /^Products \d[\d,.]* (kB|MB)$/ }).waitFor();
  await page.getByText("No statement was slow in the last hour.").waitFor();
  const asked = page.waitForRequest((request) => request.url().endsWith("/_service/status"));
  await page.getByRole("button", { name: "Refresh", exact: true }).press("Enter");
  await asked;
});

journey(
  "a server that is not ready, with hundreds of tables and slow statements, on a phone",
  async ({ stage, open }) => {
    const visit = await open({ ...phone, as: await stage.person("Worries", "admin") });
    const { page } = visit;
    visit.allow(/status of 503/);
    const long = `select "id" from "a" where ${'"a column of a table" = $1 and '.repeat(60)}true`;
    await page.route("**/api/_service/status", async (route) => {
      const response = await route.fetch();
      const status = (await response.json()) as Status;
      const json = {
        ...status,
        migrations: { applied: 20, pending: 2 },
        tables: Array.from({ length: 300 }, (_, at) => ({
          resource: `things-${at}`,
          rows: at,
          bytes: at * 8_192,
        })),
        requests: {
          ...status.requests,
          ...{ perSecond: 0, failedPerSecond: 0.25, p50: null, p99: null },
        },
        slow: [
          { statement: long, milliseconds: 5_120, count: 2, lastAt: "2026-11-21T10:00:00.000Z" },
          {
            statement: "select 1",
            milliseconds: 612,
            count: 1,
            lastAt: "2026-11-21T10:00:00.000Z",
          },
        ],
      };
      await route.fulfill({ response, json });
    });
    await page.route("**/api/_service/ready", async (route) => {
      const checks = { database: "ok", migrations: "failing", storage: "ok", mailer: "off" };
      await route.fulfill({ status: 503, json: { status: "failing", checks } });
    });
    await page.goto("/status");
    const health = page.getByRole("region", { name: "Health" });
    await health.getByText("not ready: load balancers send no requests").waitFor();
    expect((await health.getByRole("listitem").allInnerTexts()).map(inOneLine)).toEqual([
      "Database works",
      "Migrations fails",
      "File storage works",
      "Mail server not used",
    ]);
    await page.getByText("The reason is in the server's log.").waitFor();
    await page.getByText("run: npx service migrate").waitFor();
    await page.getByText("no request in the last minute").waitFor();
    await page.getByText("With indexes; the 12 largest of 300").waitFor();
    await visit.rest();
    const row = page.getByRole("row", { name: /5,120 ms/ });
    await row.locator("summary").tap();
    await row.locator("pre").waitFor();
    await visit.rest();
  },
);

journey("watching refreshes by itself, until it is turned off", async ({ stage, open }) => {
  const visit = await open({ as: await stage.person("Stays", "admin") });
  const { page } = visit;
  await page.clock.install();
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/_service/status")) asked += 1;
  });
  await page.goto("/status");
  await page.getByRole("region", { name: "Figures" }).waitFor();
  await page.clock.runFor(60_000);
  expect(asked).toBe(1);
  await page.getByRole("switch", { name: "Refresh every 10 seconds" }).press("Space");
  await page.clock.runFor(10_500);
  await expect.poll(() => asked).toBe(2);
});

journey("other callers do not find it", async ({ stage, open }) => {
  const visit = await open({ as: await stage.person("Curious", "editor"), at: "/status" });
  const { page } = visit;
  await page.getByText("Your role may not see the state of the server.").waitFor();
  expect(await page.getByRole("link", { name: "Status" }).count()).toBe(0);
});

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
