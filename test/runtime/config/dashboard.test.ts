import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { ConfigError, readConfig, readDashboardSettings } from "../../../runtime/config/index.js";

afterEach(() => vi.unstubAllEnvs());

function folder(files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "service-dashboard-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return root;
}

function problems(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n");
    throw error;
  }
  return [];
}

test("needs neither a folder with an app nor a variable", () => {
  expect(readDashboardSettings(folder())).toEqual({
    apiUrl: "http://127.0.0.1:3000",
    webUrl: null,
    proxySecret: null,
    trustProxy: 0,
    host: "127.0.0.1",
    port: 3001,
    look: { name: "Dashboard", logo: null, colour: null },
  });
});

test("reads the look from service.yaml, even if that is otherwise incomplete, and not the API's port", () => {
  const root = folder({
    "service.yaml":
      'app: { name: Tea, logo: logo.svg, colour: "#abc" }\ndatabase: { url: "$' + '{NOT_SET}" }\n',
    "logo.svg": "<svg/>",
    ".env": "PORT=3000\nHOST=0.0.0.0\nSERVICE_TRUST_PROXY=2\n",
  });
  expect(readDashboardSettings(root)).toMatchObject({
    port: 3001,
    host: "127.0.0.1",
    trustProxy: 2,
    look: { name: "Tea", logo: "logo.svg", colour: "#abc" },
  });
});

test("names every wrong variable, one per line", () => {
  vi.stubEnv("SERVICE_API_URL", "http://127.0.0.1:3000/api");
  vi.stubEnv("SERVICE_WEB_URL", "https://shop.example.com/office");
  vi.stubEnv("SERVICE_PROXY_SECRET", "short");
  vi.stubEnv("SERVICE_TRUST_PROXY", "many");
  vi.stubEnv("PORT", "70000");
  const lines = problems(() => readDashboardSettings(folder()));
  expect(lines.map((line) => /(?:SERVICE_)?[A-Z_]{4,}/.exec(line)?.[0])).toEqual([
    "SERVICE_API_URL",
    "SERVICE_WEB_URL",
    "SERVICE_PROXY_SECRET",
    "SERVICE_TRUST_PROXY",
    "PORT",
  ]);
});

test.each([
  ["colour: #1f6f5c", 'app.colour must be a colour such as "#1f6f5c", in quotes'],
  ['colour: "teal-ish"', 'app.colour must be a colour such as "#1f6f5c", in quotes'],
  ["logo: nowhere.svg", "app.logo names nowhere.svg, which is not a file"],
  ["logo: logo.gif", "app.logo must be a file that ends in .svg, .png, .webp or .jpg"],
  ["color: red", "app.color is not a setting"],
])("%s stops the start of the API and of the dashboard", (line, sentence) => {
  const root = folder({ "service.yaml": `app:\n  name: Tea\n  ${line}\n` });
  const api = () =>
    readConfig({ root, environment: {}, databaseUrl: "postgres://me@127.0.0.1/shop" });
  for (const read of [api, () => readDashboardSettings(root)]) {
    expect(problems(read).join("\n")).toContain(`service.yaml:3:`);
    expect(problems(read).join("\n")).toContain(sentence);
  }
});
