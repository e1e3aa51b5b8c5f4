import { expect } from "vitest";
import { api, fresh, make } from "./pages/record.js";
import type { Stage } from "./support/stage.js";
import { stored, taskJourney } from "./support/twelve.js";

async function failedJob(stage: Stage, name: string, ago: string): Promise<void> {
  await stage.app.db.query(
    `insert into service.jobs
       (id, name, key, input, state, attempt, tries, due_at, scheduled_at, started_at, failed_at, error)
     values (gen_random_uuid(), $1, null, '{}', 'failed', 10, 10, now() - $2::interval, now() - $2::interval,
       now() - $2::interval, now() - $2::interval, 'The provider answered 429')`,
    [name, ago],
  );
}

async function failedDeliveries(stage: Stage, url: string): Promise<void> {
  const { body } = await api(stage, "POST", "/_service/webhooks", { url, events: ["goods.*"] });
  await stage.app.db.query(
    `insert into service.webhook_deliveries
       (id, webhook_id, type, record_id, body, state, attempts, status, error, next_at)
     select gen_random_uuid(), $1, 'goods.created', gen_random_uuid(), '{"data":{}}', 'failed', 8, 503,
       'The receiver answered 503', null
     from generate_series(1, 2)`,
    [(body as { readonly id: string }).id],
  );
}

taskJourney(
  "one page says what failed, which records changed and what happened to accounts",
  async ({ stage, open }) => {
    await stage.app.db.query("truncate service.webhooks, service.webhook_deliveries");
    await stage.app.db.query("delete from service.jobs");
    await failedJob(stage, "charge", "3 hours");
    await failedJob(stage, "report", "3 days");
    await failedDeliveries(stage, "http://127.0.0.1:9/hook");
    const good = await make(stage, "goods", { name: fresh("Chai"), price: 3 });
    const older = await make(stage, "goods", { name: fresh("Assam"), price: 3 });
    await stage.app.db.query(
      "update public.goods set created_at = now() - interval '3 days' where id = $1",
      [older.id],
    );
    await api(stage, "PATCH", `/goods/${older.id}`, { price: 4 });
    const gone = await make(stage, "goods", { name: fresh("Stale bread"), price: 3 });
    await api(stage, "DELETE", `/goods/${gone.id}`);
    const as = await stage.person("Operates", "admin");
    const visit = await open({ as, at: "/" });
    const { page } = visit;
    await page.getByRole("link", { name: "Activity", exact: true }).click();
    const failures = page.getByRole("region", { name: "Failures" });
    await failures.getByRole("link", { name: "charge" }).waitFor();
    await failures.getByText("2 deliveries failed, responded 503").waitFor();
    // It failed before that day.
    expect(await failures.getByRole("link", { name: "report" }).count()).toBe(0);
    await page.getByRole("link", { name: as.email }).waitFor();
    await visit.rest();
    await page.getByLabel("Period").selectOption("Last 7 days");
    await failures.getByRole("link", { name: "report" }).waitFor();
    await page.getByLabel("Period").selectOption("Last day");
    await page.getByRole("link", { name: /^Deleted, Goods: \d+$/ }).waitFor();
    await page.getByRole("link", { name: "Changed, Goods: 1" }).click();
    await page.getByRole("link", { name: String(older.name) }).waitFor();
    expect(await page.getByRole("link", { name: String(good.name) }).count()).toBe(0);
    await page.goBack();
    await page.getByRole("link", { name: /^New, Goods: \d+$/ }).click();
    await page.getByRole("link", { name: String(good.name) }).waitFor();
  },
);

taskJourney("only operators see the activity of others", async ({ stage, open }) => {
  const { page } = await open({ as: await stage.person("Sells", "clerk"), at: "/activity" });
  await page.getByText("Your role may not see what other accounts did.").waitFor();
  expect(await page.getByRole("link", { name: "Activity" }).count()).toBe(0);
});

taskJourney("the deliveries of four webhooks are read at a time", async ({ stage, open }) => {
  await stage.app.db.query("truncate service.webhooks, service.webhook_deliveries");
  for (let at = 0; at < 6; at += 1) await failedDeliveries(stage, `http://127.0.0.1:9/${at}`);
  const { page } = await open({ as: await stage.person("Operates", "admin"), at: "/" });
  let [now, most] = [0, 0];
  await page.route(/\/webhooks\/[^/]+\/deliveries/, async (route) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 300));
    now -= 1;
    await route.continue();
  });
  await page.getByRole("link", { name: "Activity", exact: true }).click();
  const failures = page.getByRole("region", { name: "Failures" });
  const failed = failures.getByText("2 deliveries failed, responded 503");
  await expect.poll(() => failed.count()).toBe(6);
  expect(most).toBe(4);
  const hooks = await failures.getByRole("link", { name: /^http:/ }).allInnerTexts();
  const { data } = await stored(stage, "/_service/webhooks");
  expect(hooks).toEqual((data as readonly { readonly url: string }[]).map(({ url }) => url));
});
