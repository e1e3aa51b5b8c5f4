import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Client, client } from "../support/http/client.js";
import { journey } from "./support/journey.js";
import type { Stage } from "./support/stage.js";

const apiOf = (stage: Stage) => client(stage.app.url, stage.app.token);

async function choose(page: Page, rows: readonly string[], name = "teas.csv"): Promise<void> {
  const buffer = Buffer.from(rows.join("\r\n"));
  const file = { name, mimeType: "text/csv", buffer };
  await page.getByLabel(/^Choose (?:a|another) file$/).setInputFiles(file);
}

/** How many records of a resource a search finds. */
async function many(api: Client, resource: string, q: string): Promise<number> {
  return (await api.list(`/${resource}?q=${encodeURIComponent(q)}&perPage=1`)).body.meta.total;
}

/** Deletes what a test that is tried again has imported before. */
async function forget({ app }: Stage, resource: string, name: string): Promise<void> {
  await app.db.query(`delete from ${resource} where name like $1`, [name]);
}

async function category(api: Client, name: string): Promise<string> {
  const { status, body } = await api.post("/categories", { name });
  expect(status).toBe(201);
  return body.id;
}

journey(
  "a file is checked before it is sent, and a report lists refused rows",
  async ({ stage, open }) => {
    const api = apiOf(stage);
    await forget(stage, "products", "%Imported %");
    await forget(stage, "categories", "Imported teas");
    const categoryId = await category(api, "Imported teas");
    await api.post("/products", { name: "Imported 7", price: 1, categoryId });
    const visit = await open({
      as: await stage.person("Importer", "editor"),
      at: "/data/products/import",
    });
    const { page } = visit;
    const batches: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/_service/batch")) batches.push(request.postData() ?? "");
    });
    await visit.rest();
    const rows = Array.from(
      { length: 250 },
      (_, at) => `Imported ${at};${at},50;Imported teas;${at % 2 === 0 ? "live" : "draft"};x`,
    );
    rows[3] = "Imported 3;-1;Imported teas;live;x";
    rows[4] = "Imported 4;1,50;No such teas;gone;x";
    rows[5] = "=Imported 5;1,234;Imported teas;sold;x";
    await choose(page, ["Name;price;Category;STATUS;remark", ...rows]);
    await page.getByText("teas.csv: 250 rows").waitFor();
    await page
      .getByText("247 rows can be imported. 3 rows cannot be imported, and will be left out.")
      .waitFor();
    expect(await page.getByLabel("Field for remark").inputValue()).toBe("");
    expect(await page.getByLabel("Find Category by").inputValue()).toBe("name");
    const problems = page.getByRole("region", { name: "Rows with problems" });
    expect(await problems.getByRole("row").allTextContents()).toEqual([
      "LineColumnCellProblem",
      "5price-1Must be at least 0",
      "6CategoryNo such teasNo such record",
      "7price1,234At most 2 decimal places",
      "7STATUSsoldMust be one of: draft, live, gone",
    ]);
    await visit.rest();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the list" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("teas.csv.problems.csv");
    expect(batches).toEqual([]);
    expect(await many(api, "products", "Imported")).toBe(1);

    await page.getByRole("button", { name: "Import 247 rows" }).click();
    await page.getByText("246 rows imported. Refused: 1 row").waitFor();
    await page.getByRole("row", { name: /^9 .*name: / }).waitFor();
    await visit.rest();
    expect(batches.map((body) => JSON.parse(body).operations.length)).toEqual([100, 100, 47]);
    expect(batches.every((body) => JSON.parse(body).atomic === false)).toBe(true);
    expect(await many(api, "products", "Imported")).toBe(247);
    await page.getByRole("link", { name: "Open products" }).click();
    await page.getByRole("heading", { level: 1, name: "Products" }).waitFor();
  },
);

journey(
  "a lost answer pauses the import, and resuming duplicates nothing",
  async ({ stage, open }) => {
    const api = apiOf(stage);
    await forget(stage, "customers", "Lost %");
    const visit = await open({
      as: await stage.person("Unlucky", "admin"),
      at: "/data/customers/import",
    });
    const { page } = visit;
    visit.allow(/net::ERR_FAILED/);
    let lost = 0;
    await page.route("**/_service/batch", async (route) => {
      if (route.request().postData()?.includes("lost-150@") !== true || lost > 0) {
        return route.continue();
      }
      lost += 1;
      // It is written, and nobody hears of it.
      await route.fetch();
      return route.abort("failed");
    });
    const rows = Array.from({ length: 300 }, (_, at) => `Lost ${at},lost-${at}@example.com`);
    await choose(page, ["name,email", ...rows], "customers.csv");
    await page.getByRole("button", { name: "Import 300 rows" }).click();
    await page.getByText("When it continues, no row is imported twice.").waitFor();
    await visit.rest();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("300 rows imported.").waitFor();
    expect(lost).toBe(1);
    expect(await many(api, "customers", "Lost ")).toBe(300);
  },
);

journey("stop leaves the rest, which can be resumed", async ({ stage, open }) => {
  const api = apiOf(stage);
  await forget(stage, "customers", "Stopped %");
  const visit = await open({
    as: await stage.person("Stopper", "admin"),
    at: "/data/customers/import",
  });
  const { page } = visit;
  const release: (() => void)[] = [];
  await page.route("**/_service/batch", async (route) => {
    if (release.length < 2) await new Promise<void>((resolve) => release.push(resolve));
    await route.continue();
  });
  const rows = Array.from({ length: 400 }, (_, at) => `Stopped ${at},stopped-${at}@example.com`);
  await choose(page, ["name,email", ...rows], "customers.csv");
  await page.getByRole("button", { name: "Import 400 rows" }).click();
  await expect.poll(() => release.length).toBe(2);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Stopping after the current rows").waitFor();
  for (const go of release) go();
  await page.getByText("Stopped: 200 of 400 were sent. 200 rows imported.").waitFor();
  expect(await many(api, "customers", "Stopped ")).toBe(200);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("400 rows imported.").waitFor();
  expect(await many(api, "customers", "Stopped ")).toBe(400);
});

journey("rows can change the records with the same name", async ({ stage, open }) => {
  const api = apiOf(stage);
  await forget(stage, "products", "Changed %");
  await forget(stage, "categories", "Changed teas");
  const categoryId = await category(api, "Changed teas");
  const before = await api.post("/products", { name: "Changed 1", price: 1, stock: 4, categoryId });
  const visit = await open({
    as: await stage.person("Changer", "admin"),
    at: "/data/products/import",
  });
  const { page } = visit;
  await choose(page, ["name,price", "Changed 1,2.50"]);
  await page
    .getByText("Every new record needs Category, but no column is assigned to it.")
    .waitFor();
  await page
    .getByLabel("Import rows as")
    .selectOption({ label: "new products, or updates of those with the same Name" });
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await page.getByText("1 row imported.").waitFor();
  const { body } = await api.get(`/products/${before.body.id}`);
  expect(body).toMatchObject({ name: "Changed 1", price: 2.5, stock: 4 });
});

journey(
  "a file of another program is read with the options that the user chooses",
  async ({ stage, open }) => {
    const api = apiOf(stage);
    await forget(stage, "customers", "%Ås %");
    const visit = await open({
      as: await stage.person("Foreign", "admin"),
      at: "/data/customers/import",
    });
    const { page } = visit;
    const rows = [
      ...["sep=;", "Navn;Etternavn;Email;Født;Level;Balance;", ";;;;;;"],
      ...["Åse;Ås –;aase@example.com;31.01.1980;Gull;-10,5;", "Bo;Ås –;bo@example.com;-;;-;"],
    ];
    const buffer = Buffer.from(`${rows.join("\r\n")}\r\n`.replaceAll("–", "\x96"), "latin1");
    const file = { name: "kunder.csv", mimeType: "text/csv", buffer };
    await page.getByLabel("Choose a file").setInputFiles(file);
    await page.getByText("This file is not UTF-8").waitFor();
    await visit.rest();
    await page.getByLabel("Encoding").selectOption("windows-1252");
    await page.getByText("kunder.csv: 2 rows").waitFor();
    await page.getByText("How the file writes dates, times and empty cells").click();
    await page.getByLabel("Field for Navn", { exact: true }).selectOption("name");
    await page.getByLabel("Column joined to Navn").selectOption({ label: "joined with Etternavn" });
    await page.getByLabel("Field for Født").selectOption("bornOn");
    const dates = page.getByLabel("Dates and times");
    await dates.fill("DD.MM.YYY");
    await dates.press("Tab");
    await page.getByText("Must have YYYY or YY").waitFor();
    await dates.fill("DD.MM.YYYY");
    await page.getByLabel("Words for empty cells").fill("NULL,-");
    await page.getByLabel("Words for empty cells").press("Tab");
    await page.getByLabel("“Gull” in Level means").selectOption("gold");
    await page.getByLabel("A value for all rows").selectOption({ label: "Telephone" });
    await page.getByRole("textbox", { name: "Telephone" }).fill("+47 22 22 22 22");
    await page.getByRole("textbox", { name: "Telephone" }).press("Tab");
    await page.getByRole("cell", { name: "Åse Ås –" }).waitFor();
    await visit.rest();
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await page.getByText("2 rows imported.").waitFor();
    const name = encodeURIComponent("Ås –");
    const { body } = await api.list(`/customers?sort=email&filter[name][contains]=${name}`);
    const all = { phone: "+47 22 22 22 22" };
    expect(body.data).toMatchObject([
      { name: "Åse Ås –", bornOn: "1980-01-31", level: "gold", balance: -10.5, ...all },
      { name: "Bo Ås –", bornOn: null, level: "bronze", ...all },
    ]);
  },
);

journey("a file that cannot be read is refused with a sentence", async ({ stage, open }) => {
  const visit = await open({
    as: await stage.person("Broken", "admin"),
    at: "/data/products/import",
  });
  const { page } = visit;
  const file = { name: "a.csv", mimeType: "text/csv", buffer: Buffer.from([0x61, 10, 0xe4, 10]) };
  await page.getByLabel("Choose a file").setInputFiles(file);
  await page.getByText("This file is not UTF-8").waitFor();
  await visit.rest();
  await choose(page, ["<img src=x onerror=alert(1)>,name", "\u202eevil,Tea"]);
  await page.getByText("1 row", { exact: false }).first().waitFor();
});

journey("a caller who may not add records sees the reason", async ({ stage, open }) => {
  const visit = await open({ as: await stage.person("Reader"), at: "/data/products/import" });
  await visit.page.getByText("Your role may not add to “Products”.").waitFor();
  expect(await visit.page.getByRole("button", { name: "Choose a file" }).count()).toBe(0);
});

journey("the import has no layout faults at any width", async ({ stage, open }) => {
  const visit = await open({
    as: await stage.person("Wide", "admin"),
    at: "/data/customers/import",
  });
  const { page } = visit;
  const rows = Array.from({ length: 3 }, (_, at) => `Wide ${at},wide ${at},2026-13-01,gold`);
  await choose(page, ["name,email,bornOn,level", ...rows], `${"long".repeat(30)}.csv`);
  await page.getByRole("region", { name: "Rows with problems" }).waitFor();
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await visit.rest();
  }
});
