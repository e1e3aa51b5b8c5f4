import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findings, ofColours } from "./support/axe.js";
import { pictureFolder } from "./support/draw.js";
import { controlsOutside, crookedHeads, overlaps } from "./support/every/faults.js";
import { placesIn, placesOut } from "./support/every/places.js";
import { lastScenes, narrowScenes, type Show, scenes, wideScenes } from "./support/every/scenes.js";
import { everyJourney, everythingOf } from "./support/every/stage.js";
import type { Journey } from "./support/journey.js";
import type { Person, Stage } from "./support/stage.js";
import type { Visit, VisitOptions } from "./support/visit.js";

const long = { timeout: 900_000 };
const widths = [1440, 1024, 820, 360];
const themes = ["light", "dark"] as const;

type Screens = readonly (readonly [string, Show])[];

const go =
  (path: string): Show =>
  async ({ page }) => {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };

/** Every screen, and what is opened on it, that a window of that width has. */
function allOf(stage: Stage, width: number): Screens {
  const places = placesIn(stage).map((path) => [path, go(path)] as const);
  const more = width >= 1024 ? wideScenes : width < 768 ? narrowScenes : {};
  return [...places, ...Object.entries({ ...scenes, ...more, ...lastScenes })];
}

/** Until nothing is under way, and what is wrong with the page then. */
async function settle(visit: Visit): Promise<readonly string[]> {
  const { page } = visit;
  // The request whose session has ended is under way until the sign-in over the page.
  const ended = page.getByRole("dialog", { name: "Sign in again" });
  const isEnded = ended.waitFor().catch(() => new Promise(() => {}));
  await Promise.race([page.waitForLoadState("networkidle"), isEnded]);
  return visit.fits().then(
    () => [],
    (error: Error) => [error.message],
  );
}

const layoutFaults = (page: Page) =>
  page.evaluate<readonly string[]>(
    `[...${controlsOutside}, ...${overlaps}, ...${crookedHeads}, ...${moving}]`,
  );

/** What moves although the reader prefers reduced motion, as all windows of these tests do. */
const moving = `document.getAnimations()
  .filter((one) => one.playState === "running")
  .map((one) => "moves: " + (one.animationName ?? one.transitionProperty) + " of " + one.effect.target.className)`;

async function draw(page: Page, name: string): Promise<void> {
  if (pictureFolder === undefined) return;
  mkdirSync(pictureFolder, { recursive: true });
  const file = `${name.replaceAll(/[^\w.=&-]+/g, "-").slice(0, 90)}.png`;
  await page.screenshot({ path: join(pictureFolder, file) });
}

interface Look extends VisitOptions {
  /** What the windows are called in the report. */
  readonly name: string;
  /** The themes in which axe looks at each screen. */
  readonly themes: readonly ("light" | "dark")[];
}

/** What is wrong with these screens, in a window of a signed-in account, or of a visitor. */
async function faultsOf(
  all: Screens,
  { stage, open }: Pick<Journey, "stage" | "open">,
  { name, themes, as: person, ...options }: Look,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const visit = await open({ ...(person === undefined ? {} : { as: person }), ...options });
  const { page } = visit;
  // A stream of changes would never let the network rest.
  await page.route("**/_service/changes?**", (route) => route.fulfill({ status: 403, json: {} }));
  for (const [screen, show] of all) {
    const note = (found: readonly string[], where: string) =>
      faults.push(...found.map((one) => `${screen} ${name} ${where}: ${one}`));
    try {
      await show({ stage, page, person: person ?? visitor });
      note(await settle(visit), "");
      note(await layoutFaults(page), "");
      for (const [nth, colorScheme] of themes.entries()) {
        await page.emulateMedia({ colorScheme });
        note(await findings(page, nth === 0 ? undefined : ofColours), colorScheme);
        await draw(page, `${screen} ${name} ${colorScheme}`);
      }
    } catch (error) {
      note([String(error).split("\n").slice(0, 4).join(" ")], "");
    }
    // The view of another account is this window's alone.
    await page.evaluate("sessionStorage.clear()");
    // A form that has changed would ask before another page replaces it, and keep its draft.
    await page.goto("about:blank");
  }
  return faults;
}

const visitor: Person = { id: "", name: "", email: "" };

const windowOf = (width: number) => ({
  name: `at ${width} px`,
  viewport: { width, height: 800 },
  hasTouch: width < 1024,
});

everyJourney.for(widths)(
  "every screen at %i px has nothing outside, nothing that overlaps and no finding of axe, in both themes",
  long,
  async (width, { stage, open }) => {
    const as = await stage.person("Looks Around", "admin");
    const look = { ...windowOf(width), themes, as };
    expect(await faultsOf(allOf(stage, width), { stage, open }, look)).toEqual([]);
  },
);

everyJourney.for(widths)(
  "every screen before the sign-in at %i px has no fault in either theme",
  long,
  async (width, { stage, open }) => {
    const all = placesOut.map((path) => [path, go(path)] as const);
    expect(await faultsOf(all, { stage, open }, { ...windowOf(width), themes })).toEqual([]);
  },
);

everyJourney.for(["de-DE", "ar-EG", "ja-JP"])(
  "every screen fits with the numbers and dates of %s",
  long,
  async (locale, { stage, open }) => {
    const as = await stage.person("Reads Other Digits", "admin");
    for (const width of [1440, 360]) {
      const look = { ...windowOf(width), name: `in ${locale} at ${width} px`, locale, as };
      const faults = await faultsOf(allOf(stage, width), { stage, open }, { ...look, themes: [] });
      expect(faults).toEqual([]);
    }
  },
);

everyJourney("every screen fits at 200 %", long, async ({ stage, open }) => {
  const as = await stage.person("Enlarges", "admin");
  const look = { name: "at 200 %", viewport: { width: 720, height: 450 }, themes: [], as };
  expect(await faultsOf(allOf(stage, 720), { stage, open }, look)).toEqual([]);
});

everyJourney(
  "a printed list and a printed record have what they show and no control",
  async ({ stage, open }) => {
    const { good } = everythingOf(stage).filled;
    const as = await stage.person("Prints", "admin");
    // The width of A4 at 96 dots an inch, without margins.
    const { page } = await open({ as, viewport: { width: 718, height: 1_000 } });
    for (const path of ["/data/goods", `/data/goods/${good.id}`]) {
      await page.goto(path);
      await page.getByText("Marmalade").first().waitFor();
      await page.locator(".skeleton").first().waitFor({ state: "detached" });
      await page.emulateMedia({ media: "print" });
      // The heads of a table are buttons that sort it, and pictures are buttons that open them.
      expect(await page.locator("button:not(th button, :has(img)):visible").count(), path).toBe(0);
      expect(await page.getByRole("navigation").count(), path).toBe(0);
      expect(await page.getByText(String(good.name)).first().isVisible(), path).toBe(true);
      expect(await page.evaluate(overlaps), path).toEqual([]);
      await draw(page, `${path} printed`);
      await page.emulateMedia({ media: "screen" });
    }
    await page.goto("about:blank");
  },
);
