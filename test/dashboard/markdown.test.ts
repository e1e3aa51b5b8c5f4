import { expect } from "vitest";
import { api, make, save } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, sharedStage } from "./support/stage.js";

const journey = journeyOn(() =>
  sharedStage("markdown", () =>
    openWrittenStage({
      descriptors: new Map([
        [
          "pages.yaml",
          `title: name
access: { read: signed-in, write: [admin] }
fields:
  name: { type: string, required: true }
  body: { type: text, format: markdown }
`,
        ],
      ]),
      settings: "auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1 }\n",
    }),
  ),
);

journey(
  "Markdown is marked by buttons and keys, has a preview, and is stored as it was typed",
  async ({ stage, open }) => {
    const as = await stage.person("Writes", "admin");
    const made = await make(stage, "pages", { name: "Help" });
    const { page } = await open({ as, at: `/data/pages/${made.id}` });
    const body = page.getByRole("textbox", { name: "Body" });
    const tools = page.getByRole("toolbar", { name: "Formatting: Body" });
    await body.fill("Hello world");
    await body.press("End");
    for (let letter = 0; letter < 5; letter += 1) await body.press("Shift+ArrowLeft");
    await tools.getByRole("button", { name: "Bold" }).click();
    await expect.poll(() => body.inputValue()).toBe("Hello **world**");
    // What was marked stays selected, so that a second mark is for the same words.
    await body.press("Control+i");
    await expect.poll(() => body.inputValue()).toBe("Hello **_world_**");
    await body.press("Control+z");
    await expect.poll(() => body.inputValue()).toBe("Hello **world**");
    await tools.getByRole("button", { name: "Heading" }).click();
    await tools.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("heading", { name: "Hello world" }).getByText("world").waitFor();
    await tools.getByRole("button", { name: "Edit" }).click();
    await save(page);
    await expect
      .poll(() => api(stage, "GET", `/pages/${made.id}`))
      .toMatchObject({ body: { body: "## Hello **world**" } });
  },
);

journey(
  "a reader of a record sees its Markdown formatted, and tags as text",
  async ({ stage, open }) => {
    const as = await stage.person("Reads", "reader");
    const body = "- one\n- [two](https://example.com)\n\n<img src=x onerror=alert(1)>";
    const made = await make(stage, "pages", { name: "List", body });
    const { page } = await open({ as, at: `/data/pages/${made.id}` });
    await page.getByRole("listitem").filter({ hasText: "one" }).waitFor();
    const link = page.getByRole("link", { name: "two" });
    expect(await link.getAttribute("href")).toBe("https://example.com");
    await page.getByText("<img src=x onerror=alert(1)>").waitFor();
  },
);
