import type { Page } from "playwright-core";
import { api, field, save } from "../../pages/record.js";
import type { Person, Stage } from "../stage.js";
import { authorizePath } from "./places.js";
import { everythingOf } from "./stage.js";

export interface Scene {
  readonly stage: Stage;
  readonly page: Page;
  readonly person: Person;
}

/** Shows what is behind a button or a key of a screen, in a window that is signed in. */
export type Show = (scene: Scene) => Promise<unknown>;

const at =
  (path: string, show: Show = async () => {}): Show =>
  async (scene) => {
    await scene.page.goto(path);
    await scene.page.getByRole("heading", { level: 1 }).waitFor();
    await show(scene);
  };

const press = (name: string | RegExp): Show => {
  return ({ page }) => page.getByRole("button", { name, exact: true }).first().click();
};

const ofGood =
  (show: Show): Show =>
  async (scene) => {
    const { good } = everythingOf(scene.stage).filled;
    await at(`/data/goods/${good.id}`, show)(scene);
  };

const ofList = (show: Show): Show =>
  at("/data/goods", async (scene) => {
    await scene.page.locator("tbody tr").first().waitFor();
    await show(scene);
  });

const selectAll: Show = ({ page }) => page.locator("tbody input[type=checkbox]").first().check();

async function storeHome(stage: Stage, { email, id, name }: Person): Promise<void> {
  const list = { resource: "goods", name: null, search: "filter[state]=live" };
  const own = [
    { id: "0", kind: "overview" },
    { id: "1", kind: "values", resource: "goods", field: "state" },
    { id: "2", kind: "figure", ...list, measure: "sum.price" },
    { id: "3", kind: "figure", ...list, measure: "count" },
    { id: "4", kind: "new", resource: "goods" },
    { id: "5", kind: "records", ...list, columns: ["state", "price", "releasedOn"] },
    { id: "6", kind: "chart", resource: "goods", measure: "sum.price", by: "state" },
    { id: "7", kind: "values", resource: "poems", field: "state" },
  ];
  const token = await stage.cookieOf({ email, id, name });
  const answer = await api({ ...stage, app: { ...stage.app, token } }, "PUT", "/_service/home", {
    own,
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

const paste = (text: string): Show => {
  return ({ page }) =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(text)});
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('td[data-field="price"]').focus();
      document.activeElement.dispatchEvent(event);
    })()`);
};

async function conflict({ page, stage }: Scene): Promise<void> {
  const { good } = everythingOf(stage).filled;
  await field(page, "Price").fill("79");
  await api(stage, "PATCH", `/goods/${good.id}`, { price: Math.round(Math.random() * 1e6) / 100 });
  await save(page);
  await page.getByRole("heading", { name: "Two versions" }).waitFor();
}

async function chooseFile({ page }: Scene): Promise<void> {
  const rows = Array.from({ length: 40 }, (_, n) => `Tea ${n};${n % 9 === 3 ? -1 : n},50;Dairy;x`);
  const buffer = Buffer.from(["Name;price;Shelf;remark", ...rows].join("\r\n"));
  const file = { name: "teas.csv", mimeType: "text/csv", buffer };
  await page.getByLabel(/^Choose (?:a|another) file$/).setInputFiles(file);
  await page.getByText(/rows can be imported/).waitFor();
}

/** What is opened on a screen, for windows of any width. */
export const scenes: Readonly<Record<string, Show>> = {
  "own home": async (scene) => {
    await storeHome(scene.stage, scene.person);
    await at("/")(scene);
  },
  "home, arranging": async (scene) => {
    await storeHome(scene.stage, scene.person);
    await at("/", press("Arrange"))(scene);
  },
  jump: at("/", async ({ page }) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Jump to/ }).fill("mar");
    await page.getByRole("dialog").getByRole("option").first().waitFor();
  }),
  keys: at("/", async ({ page }) => {
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  }),
  "list, filter": ofList(press("Filter")),
  "list, a card or a row selected": ofList(selectAll),
  "list, bulk edit": ofList(async (scene) => {
    const { page } = scene;
    await selectAll(scene);
    await press("Edit…")(scene);
    await page.getByRole("dialog").getByLabel("Field").selectOption("Stock");
    await page.getByRole("dialog").getByLabel("Stock").fill("12");
    await page.getByRole("region", { name: "What the edit changes" }).waitFor();
  }),
  "list, bulk delete": ofList(async (scene) => {
    await selectAll(scene);
    await press("Delete…")(scene);
    await scene.page.getByRole("alertdialog").waitFor();
  }),
  "record, changed": ofGood(async ({ page }) => {
    // Too large in every locale, whichever mark separates decimals.
    await field(page, "Price").fill("9".repeat(20));
    await save(page);
    await page.getByRole("alert").first().waitFor();
  }),
  "record, actions": ofGood(press("More actions")),
  "record, delete": ofGood(async (scene) => {
    await press("More actions")(scene);
    await scene.page.getByRole("menuitem", { name: "Delete…" }).click();
    await scene.page.getByRole("alertdialog").waitFor();
  }),
  "record, merge": ofGood(async (scene) => {
    const { page } = scene;
    await press("More actions")(scene);
    await page.getByRole("menuitem", { name: "Merge…" }).click();
    await page.getByRole("combobox", { name: "The other good" }).fill("Queso");
    await page.getByRole("listbox").getByRole("option").first().click();
    await page.getByRole("table", { name: "Values that differ" }).waitFor();
  }),
  "record, picker of links": ofGood(async ({ page }) => {
    await page.getByRole("combobox", { name: /Tags/ }).fill("o");
    await page.getByRole("listbox").getByRole("option").first().waitFor();
  }),
  "record, picker": ofGood(async ({ page }) => {
    await page.getByRole("combobox", { name: /^Shelf/ }).fill("D");
    await page.getByRole("listbox").getByRole("option").first().waitFor();
  }),
  "record, JSON as text": ofGood(async ({ page }) => {
    await page.getByLabel("Extra").fill('{ "broken": [1, 2');
    await page.keyboard.press("Tab");
  }),
  conflict: ofGood(conflict),
  "import, checked": at("/data/goods/import", chooseFile),
  "new webhook": at("/webhooks", async (scene) => {
    await press("New webhook")(scene);
    await scene.page.getByRole("dialog").waitFor();
  }),
  delivery: async (scene) => {
    await at(`/webhooks/${everythingOf(scene.stage).filled.webhook}`)(scene);
    await press("goods.created")(scene);
    await scene.page.getByRole("dialog", { name: "goods.created" }).waitFor();
  },
  job: at("/jobs", async (scene) => {
    await press("charge")(scene);
    await scene.page.getByRole("dialog", { name: "charge" }).waitFor();
  }),
  "jobs, retry all": at("/jobs?filter[name]=charge", async (scene) => {
    await press("Retry all")(scene);
    await scene.page.getByRole("alertdialog").waitFor();
  }),
  invite: at("/accounts", press("Invite")),
  "account, hand over": async (scene) => {
    await at(`/accounts/${everythingOf(scene.stage).filled.leaver.id}`)(scene);
    await press("Delete…")(scene);
    await scene.page.getByText(/Shelves: [2٢] lose their link to it/).waitFor();
  },
  "account, view as": async (scene) => {
    await at(`/accounts/${everythingOf(scene.stage).filled.leaver.id}`)(scene);
    await press("View as…")(scene);
  },
  "seen as another account": async (scene) => {
    const { page } = scene;
    await at(`/accounts/${everythingOf(scene.stage).filled.leaver.id}`)(scene);
    await press("View as…")(scene);
    await page.getByLabel("Reason").fill("Ticket 4711");
    const opened = page.waitForEvent("popup");
    await press("View as")(scene);
    const view = await opened;
    await view.getByRole("region", { name: "You are viewing another account" }).waitFor();
    // The same window shows it, since only that is looked at.
    const kept = await view.evaluate<Record<string, string>>("({ ...sessionStorage })");
    await view.close();
    await page.evaluate(`Object.assign(sessionStorage, ${JSON.stringify(kept)})`);
    await page.goto("/data/goods");
    await page.getByRole("region", { name: "You are viewing another account" }).waitFor();
    await page.locator("tbody tr").first().waitFor();
  },
  "new address": at("/account/profile", async (scene) => {
    await press("Change…")(scene);
    await scene.page.getByRole("dialog").waitFor();
  }),
  "delete own account": at("/account/profile", async (scene) => {
    await press("Delete account…")(scene);
    await scene.page.getByRole("alertdialog").waitFor();
  }),
  "authorize an app": async (scene) => at(authorizePath(scene.stage))(scene),
};

/** Those that only a window beside whose list there is room for has. */
export const wideScenes: Readonly<Record<string, Show>> = {
  "list, quick look": ofList(async ({ page }) => {
    await page.keyboard.press("j");
    await page.keyboard.press("Space");
    await page.getByRole("link", { name: "Open good" }).waitFor();
  }),
  "list, columns": ofList(press("Columns")),
  "list, totals": ofList(async (scene) => {
    await press("Totals")(scene);
    await scene.page.getByLabel("Group by").waitFor();
  }),
  "list, save view": at("/data/goods?filter[state]=live", async (scene) => {
    await press("Save view")(scene);
    await scene.page.getByRole("switch", { name: /^For all users/ }).click();
  }),
  "list, cell": ofList(({ page }) => page.locator('td[data-field="price"]').first().dblclick()),
  "list, paste": ofList(async (scene) => {
    await paste("11\n12\nx")(scene);
    await scene.page.getByRole("dialog").waitFor();
  }),
};

/** Those of a phone. */
export const narrowScenes: Readonly<Record<string, Show>> = {
  menu: at("/", press("Open the menu")),
  "list, display": ofList(press("Sort and display")),
  "list, save view": at("/data/goods?filter[state]=live", async (scene) => {
    await press("Sort and display")(scene);
    await press("Save view")(scene);
    await scene.page.getByRole("switch", { name: /^For all users/ }).click();
  }),
};

/** What ends the session of the window, after all others. */
export const lastScenes: Readonly<Record<string, Show>> = {
  "session ended": at("/account/profile", async ({ page, stage, person }) => {
    await stage.app.db.query("delete from service.sessions where user_id = $1", [person.id]);
    await page.getByLabel("Name").fill("Another name");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  }),
};
