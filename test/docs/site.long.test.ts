import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { execa } from "execa";
import MiniSearch from "minisearch";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { searchOptions } from "../../fixtures/site/search-options.js";
import { hasChromium, startChromium } from "../support/browser/chromium.js";
import { pages } from "./pages.js";

const repository = join(import.meta.dirname, "../..");
const site = mkdtempSync(join(tmpdir(), "service-site-"));
const read = (path: string) => readFileSync(join(site, path), "utf8");

beforeAll(async () => {
  const script = join(repository, "dist/fixtures/site/build.js");
  await execa(process.execPath, [script, site], { cwd: repository });
});
afterAll(() => rmSync(site, { recursive: true, force: true }));

test("every page of the documentation is one of the site", () => {
  const built = readdirSync(site, { recursive: true, encoding: "utf8" });
  const wanted = pages.map(({ path }) =>
    path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html"),
  );
  expect(built.filter((path) => path.endsWith(".html")).sort()).toEqual(wanted.sort());
});

test("every link, picture and script resolves", () => {
  const html = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".html"),
  );
  const idsOf = (path: string) => [...read(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const ids = new Map(html.map((path) => [path, new Set(idsOf(path))]));
  const dead = html.flatMap((from) =>
    [...read(from).matchAll(/ (?:href|src)="([^"]+)"/g)]
      .map(([, target = ""]) => decodeURIComponent(target))
      .filter((target) => !/^(?:https|data):/.test(target))
      .filter((target) => {
        const [file = "", anchor] = target.split("#");
        const path = file === "" ? from : normalize(join(dirname(from), file));
        if (!existsSync(join(site, path))) return true;
        return anchor !== undefined && !ids.get(path)?.has(anchor);
      })
      .map((target) => `${from}: ${target}`),
  );
  expect(dead).toEqual([]);
});

test("the index finds the section of a word", () => {
  const index = MiniSearch.loadJSON(read("search.json"), {
    fields: [...searchOptions.fields],
    storeFields: [...searchOptions.storeFields],
  });
  const found = (words: string) =>
    index.search(words, searchOptions.searchOptions).map(({ id }) => id);
  expect(found("founder")).toContain("docs/access.html#by-team");
  expect(found("private file")[0]).toMatch(/#(?:private-files|a-private-file)$/);
  expect(found("idempotency-key")).not.toEqual([]);
  expect(found("xyzzy")).toEqual([]);
});

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};

test.skipIf(!hasChromium)("pressing / and typing a word leads to its section", async () => {
  let browser: Browser | undefined;
  const server: Server = createServer(({ url = "" }, response) => {
    const path = new URL(url, "http://localhost").pathname;
    response.setHeader("content-type", types[extname(path)] ?? "application/octet-stream");
    response.end(existsSync(join(site, path)) ? readFileSync(join(site, path)) : "");
  });
  try {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    browser = await startChromium();
    const page = await browser.newPage();
    const said: string[] = [];
    page.on("pageerror", (error) => said.push(String(error)));
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/docs/jobs.html`);
    await page.keyboard.press("/");
    await page.keyboard.type("founder");
    await page.getByRole("link", { name: "By team" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/access\.html#by-team$/);
    expect(await page.getByRole("heading", { name: "By team" }).isVisible()).toBe(true);
    expect(said).toEqual([]);
  } finally {
    await browser?.close();
    server.closeAllConnections();
    server.close();
  }
});
