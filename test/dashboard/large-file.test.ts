import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { api, save } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, sharedStage } from "./support/stage.js";

const journey = journeyOn(() =>
  sharedStage("large files", () =>
    openWrittenStage({
      descriptors: new Map([
        [
          "manuals.yaml",
          "fields: { title: { type: string, required: true }, scan: { type: file } }\n",
        ],
      ]),
      settings: `auth: { check_breached_passwords: false }
server: { host: 127.0.0.1 }
uploads: { max_bytes: 1000000, resumable: { max_bytes: 100000000 } }
`,
    }),
  ),
);

const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(9_000_000)]);

journey(
  "a large file continues after its connection was cut, and is stored whole",
  async ({ stage, open }) => {
    const path = join(mkdtempSync(join(tmpdir(), "large-")), "manual.pdf");
    writeFileSync(path, bytes);
    const as = await stage.person("Wanda Manual");
    const visit = await open({ as, at: "/data/manuals/new" });
    const { page } = visit;
    await page.getByLabel("Title").fill("A long manual");
    // The first request with bytes is cut.
    const methods: string[] = [];
    let cuts = 1;
    await page.route("**/_service/uploads/**", async (route) => {
      const method = route.request().method();
      methods.push(method);
      if (method === "PATCH" && cuts > 0) {
        cuts -= 1;
        await route.abort("connectionreset");
      } else await route.continue();
    });
    visit.allow(/ERR_CONNECTION_RESET/);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose a file: Scan" }).click();
    await (await chooser).setFiles(path);
    await page.getByRole("link", { name: "manual.pdf" }).waitFor();
    expect(methods).toEqual(["POST", "PATCH", "HEAD", "PATCH"]);
    await save(page);
    await page.getByText("A long manual").first().waitFor();
    const list = (await api(stage, "GET", "/manuals")).body as {
      data: { scanFile: { url: string } }[];
    };
    const file = list.data[0]?.scanFile;
    expect(file).toMatchObject({ name: "manual.pdf", size: bytes.length });
    const stored = await fetch(`${stage.app.url}${file?.url}`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
  },
);
