import { expect } from "vitest";
import { products } from "./pages/list.js";
import { journey } from "./support/journey.js";

journey("a list is walked by the keyboard alone", async ({ stage, open, notByTouch }) => {
  notByTouch("it is about keys");
  const as = await stage.person("Keys", "admin");
  const names = [`First ${as.email}`, `Second ${as.email}`];
  const { category, ids } = await products(stage, as, names);
  const { page } = await open({
    as,
    at: `/data/products?filter[categoryId]=${category}&sort=price`,
  });
  await page.getByRole("link", { name: names[1] ?? "", exact: true }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("x");
  await page.getByText("1 selected").waitFor();
  expect(await page.getByRole("checkbox", { name: `Select ${names[1]}` }).isChecked()).toBe(true);
  await page.keyboard.press("Shift+ArrowUp");
  await page.getByText("2 selected").waitFor();
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("1 selected").waitFor();
  await page.keyboard.press("Control+a");
  await page.getByText("2 selected").waitFor();
  await page.keyboard.press("f");
  await page.getByRole("dialog", { name: "Filter" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Filter" }).waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await page.keyboard.type("Second");
  await page
    .getByRole("link", { name: names[0] ?? "", exact: true })
    .waitFor({ state: "detached" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/data/products/${ids[1]}`);

  // Back at the same row; letters do nothing any more once they are switched off.
  await page.getByRole("heading", { level: 1, name: names[1] ?? "" }).waitFor();
  await page.goBack();
  await page.locator(`tr[data-id="${ids[1]}"]:focus`).waitFor();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.getByRole("switch").uncheck();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await page.keyboard.press("f");
  await page.keyboard.press("[");
  await page.keyboard.press("?");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("button", { name: "Collapse the sidebar" }).waitFor();

  // A record is found by its title, in the resources that were used last.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Jump to/ }).fill(`First ${as.email}`);
  await page.getByRole("option", { name: names[0] ?? "" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/data/products/${ids[0]}`);
});

journey("a row is previewed while the list stays in use", async ({ stage, open, notByTouch }) => {
  notByTouch("a phone has no room beside the list; a touch opens the record");
  const as = await stage.person("Looks", "admin");
  const names = [`Cheap ${as.email}`, `Dear ${as.email}`];
  const { category } = await products(stage, as, names, () => ({ description: "Only here." }));
  const visit = await open({
    as,
    at: `/data/products?filter[categoryId]=${category}&sort=price`,
  });
  const { page } = visit;
  await page.getByRole("link", { name: names[1] ?? "", exact: true }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Space");
  const look = (at: number) => page.getByRole("complementary", { name: names[at] ?? "" });
  await look(0).getByText("Only here.").waitFor();
  const told = page.getByRole("status").filter({ hasText: "Quick look" });
  await told.getByText(names[0] ?? "").waitFor();
  await page.keyboard.press("ArrowDown");
  await look(1).getByText("2.00").waitFor();
  await told.getByText(names[1] ?? "").waitFor();
  await visit.rest();
  await page.keyboard.press("Escape");
  await look(1).waitFor({ state: "detached" });
  await page.keyboard.press("Space");
  await look(1).waitFor();
  // It goes with its row, and does not return with it.
  const second = page.getByRole("link", { name: names[1] ?? "", exact: true });
  await page.getByRole("searchbox").fill("Cheap");
  await second.waitFor({ state: "detached" });
  await page.getByRole("searchbox").fill("");
  await second.waitFor();
  expect(await look(1).count()).toBe(0);
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.reload();
  await second.waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Space");
  const layer = page.getByRole("dialog", { name: names[1] ?? "" });
  await layer.getByText("Only here.").waitFor();
  await layer.getByRole("link", { name: "Open product" }).click();
  await page.getByRole("heading", { level: 1, name: names[1] ?? "" }).waitFor();
});
