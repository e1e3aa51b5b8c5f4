import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { findings, ofColours } from "./axe.js";
import { takeHands, window } from "./hands.js";
import type { Person, Stage } from "./stage.js";
import { revealed } from "./touch.js";

export interface VisitOptions extends BrowserContextOptions {
  /** Who is signed in already; nobody where it is left out. */
  readonly as?: Person;
  /** Where it begins; nowhere where it is left out. */
  readonly at?: string;
}

/** A window of a person of their own, whose faults fail the test. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page may say on the console from now on, besides refusals of the API, and where else it may go. */
  allow(message: RegExp): void;
  /**
   * Looks at a page on which nothing happens: what axe finds, a focus that fell to the body, content that moved by
   * itself or is outside the window. In the other theme it looks at the colours alone.
   */
  rest(): Promise<void>;
  /** That alone of it which takes no time: where the focus is, and what moved or is outside the window. */
  fits(): Promise<void>;
  /** Closes the window, and fails on everything that went wrong in it. */
  close(): Promise<void>;
}

/** A browser's own line for a refusal that the page shows. */
const refusals =
  /^Failed to load resource: the server responded with a status of 4(?:01|03|04|09|12|13|15|22|29)/;

export async function openVisit(
  stage: Stage,
  { as, at, ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await stage.browser.newContext({
    baseURL: stage.url,
    ...window,
    // A contrast is measured when what comes has come.
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(30_000);
  await context.addInitScript(countShifts);
  const allowed = [refusals];
  const faults = watch(context, stage.url, allowed);
  if (as !== undefined) {
    const value = await stage.cookieOf(as, options.userAgent);
    const cookie = { name: "service_token", value, url: stage.url, httpOnly: true };
    await context.addCookies([{ ...cookie, sameSite: "Lax" }]);
  }
  const page = await context.newPage();
  takeHands(page);
  if (at !== undefined) {
    await page.goto(at);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  const fits = async () => {
    await settled(page);
    expect(await page.evaluate(lost)).toEqual([]);
  };
  return {
    context,
    page,
    allow: (message) => allowed.push(message),
    fits,
    async rest() {
      await fits();
      expect(await findings(page)).toEqual([]);
      const { colorScheme = "light" } = options;
      await page.emulateMedia({ colorScheme: colorScheme === "dark" ? "light" : "dark" });
      expect(await findings(page, ofColours)).toEqual([]);
      await page.emulateMedia({ colorScheme });
    },
    async close() {
      await context.close();
      expect(faults).toEqual([]);
    },
  };
}

/** What goes wrong in any of its pages from now on. */
function watch(context: BrowserContext, url: string, allowed: readonly RegExp[]): string[] {
  const faults: string[] = [];
  context.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const text = message.text();
    if (!allowed.some((one) => one.test(text))) faults.push(`console: ${text}`);
  });
  context.on("weberror", (error) => faults.push(`error: ${error.error().message}`));
  context.on("request", (request) => {
    const to = request.url();
    const isOurs = to.startsWith(`${url}/`) || /^(?:data|blob):/.test(to);
    if (!isOurs && !allowed.some((one) => one.test(to))) faults.push(`another host: ${to}`);
  });
  context.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    // A program's token is shown once to who made it.
    if (!pathname.startsWith("/api/auth/") || pathname === "/api/auth/service-tokens") return;
    const body = await response.text().catch(() => "");
    if (/"token"\s*:/.test(body)) faults.push(`a token in the response of ${response.url()}`);
  });
  return faults;
}

/** Until the screen is loaded and what came has been drawn. */
async function settled(page: Page): Promise<void> {
  await page.getByRole("heading").first().waitFor({ state: "attached" });
  await page.getByText("Loading", { exact: true }).first().waitFor({ state: "detached" });
  // Rows of the list before are paler until those of this one arrive.
  await page.locator("[data-old]").first().waitFor({ state: "detached" });
  await revealed(page);
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
}

/**
 * Adds up what moved without being asked, as browsers count it: within five seconds, and no more than one second after
 * the last move. Keeps the worst sum, and what moved in it. It ends with the first key or click in the document:
 * browsers allow an answer to that half a second, which a busy machine exceeds.
 */
const countShifts = `
  globalThis.shifted = { worst: 0, what: [] };
  {
    const nameOf = ({ node, previousRect, currentRect }) =>
      (node?.className || node?.nodeName) + " from " + placeOf(previousRect) + " to " + placeOf(currentRect);
    const placeOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
    let now = { from: 0, last: 0, sum: 0, what: [] };
    let usedAt = Infinity;
    for (const name of ["keydown", "pointerdown"])
      addEventListener(name, (event) => { usedAt = Math.min(usedAt, event.timeStamp); }, { capture: true });
    new PerformanceObserver((list) => {
      for (const { startTime, value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput || startTime > usedAt) continue;
        const isOver = startTime - now.last > 1_000 || startTime - now.from > 5_000;
        if (isOver) now = { from: startTime, last: startTime, sum: 0, what: [] };
        now.last = startTime;
        now.sum += value;
        now.what.push(...sources.map(nameOf));
        if (now.sum > shifted.worst) shifted = { worst: now.sum, what: now.what };
      }
    }).observe({ type: "layout-shift", buffered: true });
  }`;

const lost = `[
  ...(document.activeElement === document.body ? ["the focus fell to the body"] : []),
  ...(shifted.worst > 0.1 ? ["content moved by itself: " + shifted.worst, ...shifted.what] : []),
  ...(document.documentElement.scrollWidth > innerWidth
    ? ["content is outside the window: " + document.documentElement.scrollWidth] : []),
  // A table may be wider than its own box; the part that scrolls down may not, below the width of cards.
  ...[...document.querySelectorAll(".scroll, .scroller, main")]
    .filter((one) => innerWidth < 768 && one.scrollWidth > one.clientWidth + 1)
    .map((one) => "a page scrolls sideways: " + one.className + " " + one.scrollWidth),
]`;
