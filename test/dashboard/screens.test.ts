import { expect } from "vitest";
import { isThorough } from "../support/searches.js";
import { makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";
import { paths } from "./support/paths.js";
import { smallTargets } from "./support/targets.js";

const widths = [360, 768, 1440];
const schemes = ["light", "dark"] as const;

// Each screen at one width, and at every width in the long run by hand. A look at a window takes in the colours of its other
// theme, so each begins in one of the two, in turn.
const all = [
  ...paths.out.map((path) => ({ path, isIn: false })),
  ...paths.in.map((path) => ({ path, isIn: true })),
].flatMap((screen, at) =>
  widths
    .map((width, nth) => ({ ...screen, width, colorScheme: schemes[(at + nth) % 2] ?? "light" }))
    .filter((_, nth) => isThorough || nth === at % widths.length),
);

journey.for(all)(
  "$path has no layout faults when loaded at $width px in the $colorScheme theme",
  async ({ path, isIn, width, colorScheme }, { stage, open }) => {
    const hasTouch = width < 1024;
    const look = { viewport: { width, height: 800 }, colorScheme, hasTouch };
    const as = isIn ? { as: await stage.person("Wide", "admin") } : {};
    // A list has rows below each other, whatever other journeys left behind.
    if (path === "/data/products") await Promise.all([makeProduct(stage), makeProduct(stage)]);
    const visit = await open({ ...as, ...look, at: path });
    await visit.rest();
    const tooSmall = () => visit.page.evaluate(smallTargets);
    expect(await tooSmall()).toEqual([]);
    // And after the window has become wider or narrower.
    for (const other of [1440, 768, 360]) {
      await visit.page.setViewportSize({ width: other, height: 800 });
      await visit.fits();
      expect(await tooSmall()).toEqual([]);
    }
    // 1440 pixels at 200 %.
    await visit.page.setViewportSize({ width: 720, height: 450 });
    await visit.fits();
  },
);

journey.for([360, 768, 1440])(
  "at %i px the menu and the jump open a resource",
  async (width, { stage, open }) => {
    const as = await stage.person("Wide", "admin");
    const visit = await open({ as, at: "/", viewport: { width, height: 800 } });
    const { page } = visit;
    if (width < 1024) {
      await page.getByRole("button", { name: "Open the menu" }).click();
      await page.getByRole("dialog").getByRole("link", { name: "Products" }).waitFor();
      await visit.rest();
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("Control+k");
    await page
      .getByRole("combobox", { name: "Jump to a page or a record, or run an action" })
      .fill("categ");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Categories" }).waitFor();
  },
);

journey(
  "many resources are filtered, pinned and folded, and stay so",
  async ({ stage, open, notByTouch }) => {
    notByTouch("it is about keys and the navigation at the side");
    const as = await stage.person("Many", "admin");
    const visit = await open({ as });
    const { page } = visit;
    await page.route("**/api/_service/resources", async (route) => {
      const answer = await route.fetch();
      const { data } = (await answer.json()) as { data: readonly { label: string }[] };
      const [first] = data;
      const more = Array.from({ length: 90 }, (_, at) => {
        const label = `Thing ${at}`;
        return { ...first, name: `things-${at}`, label, group: `Group ${at % 3}` };
      });
      await route.fulfill({ response: answer, json: { data: [...data, ...more] } });
    });
    await page.goto("/");
    const side = page.getByRole("navigation", { name: "Resources" });
    await side.getByRole("link", { name: "Thing 4", exact: true }).focus();
    await page.keyboard.press("/");
    await page.keyboard.type("thing 44");
    await side.getByRole("link", { name: "Thing 4", exact: true }).waitFor({ state: "detached" });
    await side.getByRole("button", { name: "Pin Thing 44" }).click();
    await side.getByRole("searchbox").fill("");
    await side.getByRole("button", { name: "Group 1" }).click();
    await visit.rest();
    await page.reload();
    await side.getByRole("heading", { name: "Pinned" }).waitFor();
    await side.getByRole("link", { name: "Thing 44" }).waitFor();
    await side.getByRole("link", { name: "Thing 3", exact: true }).waitFor();
    expect(await side.getByRole("link", { name: "Thing 4", exact: true }).isVisible()).toBe(false);
  },
);

journey(
  "many resources scroll alone at the side, and a pin moves no group",
  async ({ stage, open, notByTouch }) => {
    notByTouch("it is about the navigation at the side");
    const visit = await open({ as: await stage.person("Many", "admin") });
    const { page } = visit;
    await page.route("**/api/_service/resources", async (route) => {
      const answer = await route.fetch();
      const { data } = (await answer.json()) as { data: readonly object[] };
      const more = Array.from({ length: 48 }, (_, at) => {
        const [label, group] = [`Thing ${at}`, `Group ${(at + 1) % 3}`];
        return { ...data[0], name: `things-${at}`, label, group };
      });
      await route.fulfill({ response: answer, json: { data: more } });
    });
    await page.setViewportSize({ width: 1440, height: 700 });
    await page.goto("/");
    const side = page.getByRole("banner").last();
    await side.getByRole("link", { name: "Thing 47" }).scrollIntoViewIfNeeded();
    for (const one of [
      side.getByRole("link", { name: "Home" }),
      side.getByRole("link", { name: "Status" }),
      side.getByRole("button", { name: /^Your account: / }),
    ]) {
      const box = await one.boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
    }
    const names = () => side.getByRole("heading", { level: 2 }).allTextContents();
    expect(await names()).toEqual(["Group 1", "Group 2", "Group 0"]);
    // The first of the first group, which would be the last group if its first resource counted without the pinned.
    const next = side.getByRole("link", { name: "Thing 3", exact: true });
    await next.scrollIntoViewIfNeeded();
    await side.getByRole("link", { name: "Thing 9", exact: true }).scrollIntoViewIfNeeded();
    const before = await next.boundingBox();
    const pin = side.getByRole("button", { name: "Pin Thing 0" });
    await pin.focus();
    await page.keyboard.press("Enter");
    await side.getByRole("heading", { name: "Pinned" }).waitFor();
    expect(await names()).toEqual(["Pinned", "Group 1", "Group 2", "Group 0"]);
    expect((await next.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
    expect(await pin.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe(
      "Pin Thing 0",
    );
    await visit.rest();
  },
);
