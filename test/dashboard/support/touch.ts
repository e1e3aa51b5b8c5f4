import type { Locator, Page } from "playwright-core";

type Tap = Parameters<Locator["tap"]>[0];

const display = "Sort and display";

/** The buttons behind which a phone's layout puts what has no room, from the nearest to the farthest. */
const openers = [display, "More actions", "Open the menu"];

/** Presses with a finger. What the layout of a phone has put away is shown first, as somebody would. */
export async function tap(one: Locator, options?: Tap): Promise<void> {
  await (await withinReach(one)).tap(options);
}

/** Ticks a box or chooses an option with a finger, where it is not yet so. */
export async function tick(one: Locator, isOn: boolean, options?: Tap): Promise<void> {
  const box = await withinReach(one);
  if ((await box.isChecked()) !== isOn) await box.tap(options);
}

/** The control itself, or its counterpart of the same name in a layer that is opened for it. */
async function withinReach(one: Locator): Promise<Locator> {
  const page = one.page();
  await revealed(page);
  const { all, own, item } = selectorsOf(one);
  const everywhere = page.locator(all);
  await everywhere.first().waitFor({ state: "attached" });
  let place = await everywhere.evaluateAll(placeOf);
  if (place === "here") return one;
  // What was opened for another control covers this one: a popover, or the menu, whose link was asked about.
  const popover = page.getByRole("dialog", { name: display, exact: true });
  const menu = page.getByRole("dialog").filter({ has: page.getByRole("navigation") });
  const cover = popover.or(menu).first();
  if (await cover.isVisible()) {
    if (await popover.isVisible()) await page.touchscreen.tap(2, 2);
    else await menu.getByRole("button", { name: "Close", exact: true }).tap();
    await cover.waitFor({ state: "detached" });
    place = await everywhere.evaluateAll(placeOf);
  }
  if (place !== "away") return one;
  const layer = page.locator("[role=dialog], [role=menu]").last();
  for (const name of openers) {
    const opener = page.getByRole("button", { name, exact: true }).first();
    if (!(await opener.isVisible())) continue;
    await opener.tap();
    await layer.waitFor();
    const found = layer.locator(own).or(layer.locator(item)).first();
    if ((await found.count()) > 0) return found;
    await page.keyboard.press("Escape");
    await layer.waitFor({ state: "detached" });
  }
  return one;
}

/** Until layers are drawn: React Aria hides one for 600 ms at most while a keyboard may come up from the screen's edge. */
export async function revealed(page: Page): Promise<void> {
  await page.locator('[style*="mask-image"]').first().waitFor({ state: "detached" });
}

/** How what is pressed is found: wherever it is, hidden or not; inside of a layer; and there as an item of a menu. */
function selectorsOf(one: Locator) {
  const { _selector: selector } = one as unknown as { readonly _selector: string };
  const parts = selector.split(" >> ").filter((part) => !part.startsWith("nth="));
  const own = parts.pop() ?? selector;
  const isByRole = own.startsWith("internal:role=");
  const all = [...parts, isByRole ? `${own}[include-hidden=true]` : own].join(" >> ");
  return {
    all,
    own,
    item: own.replace(/^internal:role=(?:button|link)/, "internal:role=menuitem"),
  };
}

// Written as text, since the types of a browser's page are none of the tests'.
/**
 * Where the nearest of them is: here, covered by a layer, or away, outside of what is drawn, as what only a screen
 * reader is given is too.
 */
const placeOf = new Function(
  "all",
  `const isClipped = (one) => one !== null &&
    (getComputedStyle(one).clipPath === "inset(50%)" || isClipped(one.parentElement));
  const drawn = all.filter((one) => one.checkVisibility() && !isClipped(one));
  if (drawn.length === 0) return "away";
  return drawn.every((one) => one.closest("[inert], [aria-hidden=true]") !== null) ? "covered" : "here";`,
) as (all: unknown[]) => "here" | "covered" | "away";
