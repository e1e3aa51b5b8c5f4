import { expect } from "vitest";
import { z } from "zod";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, type Stage, sharedStage } from "./support/stage.js";
import { smallTargets } from "./support/targets.js";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

const input = z.object({});
const journey = journeyOn(() =>
  sharedStage("jobs", () =>
    openWrittenStage({
      descriptors: new Map([
        ["notes.json", JSON.stringify({ label: "Notes", fields: { words: { type: "string" } } })],
      ]),
      settings:
        "auth: { check_breached_passwords: false, operators: [admin] }\nserver: { host: 127.0.0.1 }\n",
      options: {
        jobs: { charge: { input, run: () => {} }, report: { input, run: () => {} } },
        schedule: {
          nightly: { job: "report", cron: "0 3 * * *", timezone: "Europe/Oslo" },
        },
      },
    }),
  ),
);

const reason = "The provider answered 429\n  at charge (server.js:12:3)";

/** Jobs as they would be after some hours; those that wait or run are left alone by the process. */
async function stored(stage: Stage): Promise<void> {
  await stage.app.db.query(
    `insert into service.jobs
       (id, name, key, input, state, attempt, tries, due_at, scheduled_at, started_at, leased_until, claim, failed_at, error)
     values
       (gen_random_uuid(), 'charge', 'order 7', '{}', 'failed', 10, 10, now(), now(), now() - interval '4 minutes',
         null, null, now(), $1),
       (gen_random_uuid(), 'report', null, '{}', 'waiting', 0, 3, now() + interval '3 hours', now(), null,
         null, null, null, null),
       (gen_random_uuid(), 'report', null, '{}', 'running', 1, 3, now(), now(), now(),
         now() + interval '1 hour', gen_random_uuid(), null, null)`,
    [reason],
  );
}

journey(
  "an operator sees waiting, running and failed jobs, with errors, and retries one",
  async ({ stage, open }) => {
    await stage.app.db.query("delete from service.jobs");
    await stored(stage);
    const visit = await open({ as: await stage.person("Sees Jobs", "admin"), at: "/" });
    const { page } = visit;
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(4);
    // A phone has the reason below the name, and no room for the tries.
    const failed = /^charge (?:failed 10 of 10|.+ failed) attempted 4 min/;
    await page.getByRole("row", { name: failed }).waitFor();
    await page.getByRole("row", { name: /report waiting (?:0 of 3 )?due in 3/ }).waitFor();
    await visit.rest();

    await page.getByLabel("State", { exact: true }).selectOption({ label: "State: failed" });
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    expect(new URL(page.url()).searchParams.get("filter[state]")).toBe("failed");
    await page.reload();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);

    // By the keyboard alone.
    await page.getByRole("button", { name: "charge" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "charge" });
    await dialog.getByText("order 7").waitFor();
    expect(await dialog.getByText("The provider answered 429").textContent()).toBe(reason);
    await visit.rest();
    await dialog.getByRole("button", { name: "Retry" }).press("Enter");
    await page.getByText("charge will be retried").waitFor();
    await page.getByText("No job matches.").waitFor();
    await expect
      .poll(() => stage.app.db.query("select from service.jobs where name = 'charge'"))
      .toEqual([]);
    await page.getByRole("button", { name: "Show all jobs" }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(3);

    await page
      .getByRole("row", { name: /waiting/ })
      .getByRole("button")
      .click();
    const waiting = page.getByRole("dialog", { name: "report" });
    await waiting.getByRole("button", { name: "Delete…" }).click();
    await visit.rest();
    await waiting.getByRole("button", { name: "Delete job" }).click();
    await page.getByText("A job of report is deleted").waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
  },
);

journey(
  "schedules are shown with their next times, and run at once; the last day is a chart",
  async ({ stage, open }) => {
    await stage.app.db.query("delete from service.jobs");
    await stage.app.db.query(
      `insert into service.job_hours (hour, done, failed)
       values (date_trunc('hour', now() - interval '2 hours', 'UTC'), 1200, 3)
       on conflict (hour) do update set done = 1200, failed = 3`,
    );
    const as = await stage.person("Runs Schedules", "admin");
    const visit = await open({ ...phone, as, at: "/jobs/schedule" });
    const { page } = visit;
    await page
      .getByRole("row", { name: /nightly/ })
      .getByText(/^in \d+|tomorrow/)
      .waitFor();
    await visit.rest();
    expect(await page.evaluate(smallTargets)).toEqual([]);
    await page.getByRole("button", { name: "Run now: nightly" }).tap();
    await page.getByRole("alertdialog").getByRole("button", { name: "Run now" }).tap();
    await page.getByText("A job of report was added").waitFor();
    await expect
      .poll(async () => {
        await page.getByRole("button", { name: "Refresh" }).tap();
        return page.getByRole("row", { name: /nightly report done/ }).count();
      })
      .toBe(1);

    await page.getByRole("link", { name: "Last day" }).tap();
    await page
      .getByText(/^In the last 24 hours 1,20\d jobs were done, and 3 attempts failed/)
      .waitFor();
    await visit.rest();
    await page.getByRole("button", { name: "Show as table: Done by hour" }).tap();
    await page.getByRole("row", { name: /1,200/ }).waitFor();
    await visit.rest();
  },
);

journey("after more than a day, signing in again comes first", async ({ stage, open }) => {
  await stage.app.db.query("delete from service.jobs");
  await stored(stage);
  const person = await stage.person("Old Operator", "admin");
  const { page } = await open({ as: person, at: "/jobs" });
  await page.getByRole("button", { name: "charge" }).click();
  await stage.app.db.query(
    "update service.sessions set created_at = created_at - interval '25 hours' where user_id = $1",
    [person.id],
  );
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await page.getByText("You signed in more than a day ago").waitFor();
  await page.getByRole("button", { name: "Sign in again" }).click();
  await page.getByRole("heading", { name: /^Sign in/ }).waitFor();
});

journey("callers who are not operators see no jobs", async ({ stage, open }) => {
  const { page } = await open({ as: await stage.person("Plain Member"), at: "/jobs" });
  await page.getByText("Your role may not see jobs.").waitFor();
  expect(await page.getByRole("navigation", { name: "Administration" }).count()).toBe(0);
});

journey(
  "failed jobs are counted, and all that match are retried with one button",
  async ({ stage, open }) => {
    await stage.app.db.query("delete from service.jobs");
    await stored(stage);
    await stage.app.db.query(
      `insert into service.jobs
         (id, name, input, state, attempt, tries, due_at, scheduled_at, started_at, failed_at, error)
       select gen_random_uuid(), 'charge', '{}', 'failed', 10, 10, now(), now(), now(), now(), $1
       from generate_series(1, 119)`,
      [reason],
    );
    const as = await stage.person("Retries Jobs", "admin");
    const visit = await open({ as, at: "/jobs?filter[name]=charge" });
    const { page } = visit;
    await page.getByText("0 waiting, 0 running, and 120 failed").waitFor();
    await page.getByRole("button", { name: "Retry all" }).press("Enter");
    const dialog = page.getByRole("alertdialog", { name: "Retry all failed jobs of charge?" });
    await visit.rest();
    await dialog.getByRole("button", { name: "Retry all" }).press("Enter");
    // One request for each, on a busy machine.
    await dialog.getByText("120 of 120").first().waitFor({ timeout: 150_000 });
    await dialog.getByText("Done").waitFor();
    await visit.rest();
    await dialog.getByRole("button", { name: "Close" }).last().press("Enter");
    const failed = () =>
      stage.app.db.query("select from service.jobs where name = 'charge' and state = 'failed'");
    expect(await failed()).toEqual([]);
    await expect.poll(() => page.getByRole("button", { name: "Retry all" }).count()).toBe(0);
  },
);
