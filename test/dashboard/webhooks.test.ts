import { expect, onTestFinished } from "vitest";
import { type Respond, startReceiver } from "../runtime/webhooks/support/receiver.js";
import { api, fresh, make } from "./pages/record.js";
import { changesStage } from "./support/changes-stage.js";
import { journeyOn } from "./support/journey.js";
import type { Stage } from "./support/stage.js";
import { smallTargets } from "./support/targets.js";

const journey = journeyOn(changesStage);
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

async function receiver(respond?: Respond) {
  const started = await startReceiver(respond);
  onTestFinished(() => started.close());
  return started;
}

/** No webhooks, as at the beginning; none of another journey is called. */
async function none(stage: Stage): Promise<void> {
  await stage.app.db.query("truncate service.webhooks, service.webhook_deliveries");
}

journey(
  "an operator adds a webhook, sees its deliveries, and sends one again",
  async ({ stage, open }) => {
    await none(stage);
    let status = 500;
    const called = await receiver((_, response) => void response.writeHead(status).end());
    const visit = await open({ as: await stage.person("Adds Webhooks", "admin"), at: "/" });
    const { page, context } = visit;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("There are no webhooks yet.").waitFor();
    await page.getByRole("button", { name: "New webhook" }).click();
    const dialog = page.getByRole("dialog", { name: "New webhook" });
    await dialog.getByLabel("Address").fill("https://10.0.0.1/hook");
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    await dialog.getByText("Choose at least one.").waitFor();
    await dialog.getByRole("checkbox", { name: "Goods: created" }).check();
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    await dialog.getByText(/private address/).waitFor();
    await visit.rest();
    await dialog.getByLabel("Address").fill(called.url);
    await dialog.getByRole("checkbox", { name: "Goods: updated" }).check();
    await dialog.getByRole("checkbox", { name: "Goods: deleted" }).check();
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    const shown = page.getByRole("dialog", { name: "Copy the secret now" });
    const secret = await shown.getByLabel("Secret", { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await visit.rest();
    await shown.getByRole("button", { name: "Copy secret" }).click();
    await page.getByText("Copied").waitFor();
    await shown.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: /goods\.\*/ });
    await row.getByText("on", { exact: true }).waitFor();

    await row.getByRole("link", { name: called.url }).click();
    await page.getByText("Nothing was sent in the last 30 days.").waitFor();
    const name = fresh("Told");
    await make(stage, "goods", { name });
    await expect.poll(() => called.received.length).toBe(1);
    const delivery = page.getByRole("row", { name: /goods\.created.* waiting/ });
    await expect
      .poll(async () => {
        await page.getByRole("button", { name: "Refresh" }).click();
        return delivery.count();
      })
      .toBe(1);

    status = 204;
    await page.getByRole("button", { name: "goods.created" }).press("Enter");
    const told = page.getByRole("dialog", { name: "goods.created" });
    await told.getByText(`"name": "${name}"`).waitFor();
    await told.getByRole("heading", { name: "Why the last attempt failed" }).waitFor();
    await told.getByRole("definition").filter({ hasText: /^500$/ }).waitFor();
    await visit.rest();
    await told.getByRole("button", { name: "Send again" }).press("Enter");
    await page.getByText("It will be sent again").waitFor();
    await expect.poll(() => called.received.length).toBe(2);

    await page.getByRole("button", { name: "Send a test" }).click();
    await expect.poll(() => called.received.length).toBe(3);
    await page.getByLabel("State", { exact: true }).selectOption({ label: "State: succeeded" });
    await expect
      .poll(async () => {
        await page.getByRole("button", { name: "Refresh" }).click();
        return page.getByRole("row", { name: /succeeded/ }).count();
      })
      .toBe(2);
    expect(new URL(page.url()).searchParams.get("filter[state]")).toBe("succeeded");
  },
);

journey("a webhook is changed, gets another secret, and is deleted", async ({ stage, open }) => {
  await none(stage);
  const { body } = await api(stage, "POST", "/_service/webhooks", {
    url: "https://receiver.example/hook",
    events: ["goods.*"],
  });
  const { id, secret } = body as { readonly id: string; readonly secret: string };
  const as = await stage.person("Changes Webhooks", "admin");
  const visit = await open({ ...phone, as, at: `/webhooks/${id}` });
  const { page } = visit;
  await visit.rest();
  expect(await page.evaluate(smallTargets)).toEqual([]);
  const choose = async (entry: string) => {
    await page.getByRole("button", { name: "More actions" }).tap();
    await page.getByRole("menuitem", { name: entry }).tap();
  };
  await choose("Edit…");
  const dialog = page.getByRole("dialog", { name: "Edit webhook" });
  await dialog.getByRole("checkbox", { name: "Goods: deleted" }).uncheck();
  await dialog.getByRole("switch", { name: "Disabled" }).check();
  await visit.rest();
  expect(await page.evaluate(smallTargets)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).tap();
  await page.getByText("The webhook is saved").waitFor();
  await page.getByText("disabled", { exact: true }).waitFor();
  expect((await api(stage, "GET", `/_service/webhooks/${id}`)).body).toMatchObject({
    events: ["goods.created", "goods.updated"],
    disabled: true,
  });
  await page.getByRole("button", { name: "Send a test" }).tap();
  await page.getByText("The webhook is disabled: enable it first").waitFor();

  await choose("New secret…");
  await page.getByRole("button", { name: "Generate new secret" }).tap();
  const shown = page.getByRole("dialog", { name: "Copy the secret now" });
  expect(await shown.getByLabel("Secret", { exact: true }).inputValue()).not.toBe(secret);
  await shown.getByRole("button", { name: "Done" }).tap();

  // Who signed in long ago signs in again first.
  await stage.app.db.query(
    "update service.sessions set created_at = created_at - interval '25 hours' where user_id = $1",
    [as.id],
  );
  await choose("Delete…");
  await page.getByRole("button", { name: "Delete webhook" }).tap();
  await page.getByText("You signed in more than a day ago").waitFor();
  await page.getByRole("button", { name: "Sign in again" }).waitFor();
  await stage.app.db.query(
    "update service.sessions set created_at = created_at + interval '25 hours' where user_id = $1",
    [as.id],
  );
  await page.getByRole("button", { name: "Cancel" }).tap();
  await choose("Delete…");
  await page.getByRole("button", { name: "Delete webhook" }).tap();
  await page.getByText("The webhook is deleted").waitFor();
  await page.getByText("There are no webhooks yet.").waitFor();
});

journey("callers who are not operators see no webhooks", async ({ stage, open }) => {
  const { page } = await open({ as: await stage.person("No Operator", "clerk"), at: "/webhooks" });
  await page.getByText("Your role may not see webhooks.").waitFor();
  expect(await page.getByRole("link", { name: "Webhooks" }).count()).toBe(0);
});
