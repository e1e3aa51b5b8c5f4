import type { Page } from "playwright-core";
import type { Result } from "../check.js";
import type { Dashboard } from "./open.js";

/** What a list and a record ask the API, besides what is around every screen. */
export async function requests(dashboard: Dashboard): Promise<readonly Result[]> {
  const page = await dashboard.window();
  const list = await asked(page, async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Products" }).click();
    await page.getByRole("row").nth(1).waitFor();
  });
  const record = await asked(page, async () => {
    await page.locator("tbody a.title").first().click();
    await page.getByLabel("Price").waitFor();
    await page
      .getByRole("link", { name: /^Reviews/ })
      .last()
      .click();
    await page.getByText("There are no reviews yet.").waitFor();
  });
  await page.context().close();
  return [
    result("requests of a list", list, 1),
    result("requests of a record and a tab", record, 3),
  ];
}

async function asked(page: Page, work: () => Promise<void>): Promise<readonly string[]> {
  const paths: string[] = [];
  const onRequest = (request: { url(): string }) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/")) paths.push(decodeURIComponent(pathname + search));
  };
  page.on("request", onRequest);
  await work();
  await page.waitForLoadState("networkidle");
  page.off("request", onRequest);
  return paths;
}

function result(name: string, paths: readonly string[], most: number): Result {
  const met = paths.length === most;
  if (!met) process.stderr.write(`${name}:\n${paths.join("\n")}\n`);
  return { name, measured: String(paths.length), target: String(most), met };
}
