import type { Page } from "playwright-core";
import { expect } from "vitest";
import { api, field, fresh, makeAs, save } from "./pages/record.js";
import { long, manyJourney } from "./support/many.js";
import type { Person, Stage } from "./support/stage.js";

/** What somebody finds of a resource with rules. */
interface Found {
  /** What can be done in its list; null where there is no way to it. */
  readonly list: string | null;
  /** What can be done with a record, the labels of what is written there, and of what is read. */
  readonly record?: string;
  readonly written?: string;
  readonly read?: string;
}

const all = { list: "new, select", record: "save, duplicate, delete" } as const;
const reading = { list: "", record: "", written: "" } as const;

interface Case {
  readonly role: string | null;
  readonly resource: string;
  readonly isOwn: boolean;
  readonly found: Found;
}

const cases: readonly Case[] = [
  ...[null, "reader", "editor"].flatMap((role): readonly Case[] => [
    {
      role,
      resource: "memos",
      isOwn: true,
      found:
        role === "editor"
          ? { ...all, written: "Writer, Subject, Remark, Verdict", read: "Stamp" }
          : { ...all, written: "Writer, Subject", read: "Stamp, Verdict" },
    },
    {
      role,
      resource: "ledgers",
      isOwn: false,
      found: role === "editor" ? { ...reading, read: "Line" } : { list: null },
    },
    {
      role,
      resource: "cases",
      isOwn: false,
      found:
        role === "editor"
          ? { ...all, written: "Subject, State", read: "" }
          : { ...reading, read: "Subject, State" },
    },
  ]),
  {
    role: "reader",
    resource: "memos",
    isOwn: false,
    // The list has own ones too, of which some may be chosen.
    found: {
      list: "new, select",
      record: "duplicate",
      written: "",
      read: "Writer, Subject, Stamp, Verdict",
    },
  },
  {
    role: "editor",
    resource: "memos",
    isOwn: false,
    found: {
      list: "new, select",
      record: "save, duplicate",
      written: "Writer, Subject, Remark, Verdict",
      read: "Stamp",
    },
  },
];

manyJourney.for(cases)(
  "the role $role finds of $resource (own: $isOwn) what its rules allow, and no more",
  long,
  async ({ role, resource, isOwn, found }, { stage, open }) => {
    const as = await stage.person("Robert King", role);
    const id = await recordOf(stage, resource, isOwn ? as : await stage.person("Anne Dodsworth"));
    const { page } = await open({ as, at: "/" });
    expect(await foundBy(page, resource, id)).toEqual(found);
  },
);

async function recordOf(stage: Stage, resource: string, of: Person): Promise<string> {
  if (resource === "ledgers") {
    const rows = await stage.app.db.query<{ id: string }>(
      "insert into ledgers (id, line) values (uuidv7(), 'One') returning id",
    );
    return rows[0]?.id ?? "";
  }
  const subject = fresh("Subject");
  if (resource === "cases") {
    return (await makeAs(stage, "editor", "cases", { subject })).id;
  }
  return (await makeAs(stage, "editor", "memos", { subject, writerId: of.id })).id;
}

async function foundBy(page: Page, resource: string, id: string): Promise<Found> {
  const links = page.getByRole("navigation", { name: "Resources" });
  if ((await links.locator(`a[href="/data/${resource}"]`).count()) === 0) return { list: null };
  await page.goto(`/data/${resource}`);
  await page.getByRole("row").nth(1).waitFor();
  const list = await there(page, {
    new: `a[href="/data/${resource}/new"]`,
    select: "tbody input[type=checkbox]",
  });
  await page.goto(`/data/${resource}/${id}`);
  await page.getByText("Id", { exact: true }).waitFor();
  const more = page.getByRole("button", { name: "More actions" });
  const entries: string[] = [];
  if ((await more.count()) > 0) {
    await more.click();
    await page.getByRole("menuitem").first().waitFor();
    entries.push(...(await page.getByRole("menuitem").allTextContents()));
    await page.keyboard.press("Escape");
  }
  const acts = [
    ...((await page.getByRole("button", { name: "Save", exact: true }).count()) > 0
      ? ["save"]
      : []),
    ...entries.map((entry) => entry.replace("…", "").toLowerCase()),
  ];
  return {
    list,
    record: acts.join(", "),
    written: (await page.locator("form .label > bdi").allTextContents()).join(", "),
    read: (await page.locator(".record dl.values dt bdi").allTextContents()).join(", "),
  };
}

async function there(page: Page, selectors: Readonly<Record<string, string>>): Promise<string> {
  const counts = await Promise.all(
    Object.values(selectors).map((selector) => page.locator(selector).count()),
  );
  return Object.keys(selectors)
    .filter((_, at) => (counts[at] ?? 0) > 0)
    .join(", ");
}

manyJourney(
  "actions that a policy decides are offered, and its refusal is shown",
  long,
  async ({ stage, open }) => {
    const as = await stage.person("Laura Callahan", "editor");
    const { id } = await makeAs(stage, "editor", "cases", {
      subject: fresh("Closed"),
      state: "closed",
    });
    const { page } = await open({ as, at: `/data/cases/${id}` });
    const subject = await field(page, "Subject").inputValue();
    await field(page, "Subject").fill("Opened again");
    await save(page);
    await page.getByRole("alert").filter({ hasText: "Not saved" }).waitFor();
    expect(await field(page, "Subject").inputValue()).toBe("Opened again");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Delete case" }).click();
    await dialog.getByRole("alert").waitFor();
    expect((await api(stage, "GET", `/cases/${id}`)).body).toMatchObject({ subject });
  },
);

manyJourney(
  "among a thousand records changed at once, those that a policy protects are named",
  long,
  async ({ stage, open }) => {
    const as = await stage.person("Janet Leverling", "editor");
    const name = fresh("Case");
    await stage.app.db.query(
      `insert into cases (id, subject, state)
       select uuidv7(), $1 || ' ' || n, case when n % 100 = 7 then 'closed' else 'open' end
       from generate_series(1, 1000) as n`,
      [name],
    );
    const filter = `filter[subject][starts]=${encodeURIComponent(`${name} `)}`;
    const { page } = await open({ as, at: `/data/cases?${filter}` });
    await page.getByRole("checkbox", { name: /^Select all/ }).check();
    const dock = page.getByRole("toolbar", { name: "Selected cases" });
    await dock.getByRole("button", { name: "Select all 1,000 that match" }).click();
    await dock.getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit 1,000 cases" });
    await dialog.getByLabel("Field").selectOption("State");
    await dialog.getByLabel("closed").check();
    await dialog.getByRole("button", { name: "Change 1,000 cases" }).click();
    await dialog.getByText("990 of 1,000 cases changed").waitFor({ timeout: 200_000 });
    await dialog.getByText("10 were refused and have not changed.").waitFor();
    for (let at = 7; at <= 1_000; at += 100) {
      await dialog.getByText(`${name} ${at}`, { exact: true }).waitFor();
    }
  },
);
