import type { Page } from "playwright-core";
import { type Result, resultOfTimes } from "../check.js";
import { clickTime } from "./observe.js";
import type { Dashboard } from "./open.js";

const rows = 'document.querySelectorAll("table tbody tr").length > 0';
const mostMs = 300;

/** From home to a list that this browser has never shown: its script, its rows and their painting. */
export async function firstList(dashboard: Dashboard, tries: number): Promise<readonly Result[]> {
  const times: number[] = [];
  for (let at = 0; at < tries; at += 1) {
    const page = await dashboard.window();
    const link = page.getByRole("navigation").getByRole("link", { name: "Products" });
    times.push(await clickTime(page, rows, () => link.click()));
    await page.context().close();
  }
  return [resultOfTimes("first list after the click", times, mostMs)];
}

interface Filter {
  readonly field: string;
  readonly condition: string;
  readonly value: string;
}

/** The newest product fits none of them. */
const filters: readonly Filter[] = [
  { field: "Status", condition: "is", value: "draft" },
  { field: "Active", condition: "is", value: "yes" },
  { field: "Price", condition: "at least", value: "500" },
  { field: "Name", condition: "contains", value: "777" },
];

/** From Apply until the rows of the filter are painted. */
export async function filtered(dashboard: Dashboard, tries: number): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const filter of filters) {
    const times: number[] = [];
    for (let at = 0; at < tries; at += 1) {
      const page = await dashboard.window({ at: "/data/products" });
      times.push(await applyTime(page, filter));
      await page.context().close();
    }
    results.push(
      resultOfTimes(`filter: ${filter.field.toLowerCase()} ${filter.condition}`, times, mostMs),
    );
  }
  return results;
}

async function applyTime(page: Page, { field, condition, value }: Filter): Promise<number> {
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Field").selectOption(field);
  const conditions = page.getByLabel("Condition");
  if ((await conditions.count()) > 0) await conditions.selectOption(condition);
  const control = page.getByLabel("Value");
  const isChoice = await control.evaluate((node) => node.nodeName === "SELECT");
  await (isChoice ? control.selectOption(value) : control.fill(value));
  const first = await page.evaluate<string>('document.querySelector("tbody tr").dataset.id');
  const isThere = `(() => {
    const row = document.querySelector("table:not([data-old]) tbody tr");
    return row !== null && row.dataset.id !== ${JSON.stringify(first)};
  })()`;
  return clickTime(page, isThere, () => page.getByRole("button", { name: "Apply" }).click());
}
