import type { Locator, Page } from "playwright-core";
import { tap, tick } from "./touch.js";

/**
 * What journeys press with: `BY=keyboard npm run test:dashboard` and `BY=touch …` walk through all of them without a
 * mouse, the latter on a phone of 360 by 740. Journeys that are about a mouse or a place on the screen use one all the same.
 */
const hands = process.env.BY || "mouse";

export const isByTouch = hands === "touch";

/** What a window is, where the test does not say it. */
export const window = isByTouch
  ? { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
  : { viewport: { width: 1440, height: 900 } };

type Click = Locator["click"];

let isTaken = false;

/** From now on everything that is clicked in this process is pressed with the hands of this run. */
export function takeHands(page: Page): void {
  if (isTaken || hands === "mouse") return;
  isTaken = true;
  const locators: Locator = Object.getPrototypeOf(page.locator("body"));
  const { click } = locators;
  const press = isByTouch ? byFinger : byKeyboard;
  locators.click = function (this: Locator, options = {}) {
    const isOfMouse = options.button !== undefined || options.position !== undefined;
    return isOfMouse ? click.call(this, options) : press(this, click, options);
  };
  if (isByTouch) {
    locators.check = function (this: Locator, options) {
      return tick(this, true, options);
    };
    locators.uncheck = function (this: Locator, options) {
      return tick(this, false, options);
    };
    return;
  }
  locators.check = async function (this: Locator, options = {}) {
    if (!(await this.isChecked())) await byKeyboard(this, click, options);
  };
  locators.uncheck = async function (this: Locator, options = {}) {
    if (await this.isChecked()) await byKeyboard(this, click, options);
  };
}

const byFinger = (one: Locator, _click: Click, options: Parameters<Click>[0]) => tap(one, options);

/** How many arrows at most lead to an option of a list, or to a cell of a row. */
const mostSteps = 60;

async function byKeyboard(one: Locator, click: Click, options: Parameters<Click>[0] = {}) {
  // It is there, may be pressed, and nothing covers it.
  await click.call(one, { ...options, trial: true });
  const page = one.page();
  const { place, kind } = await one.evaluate(focus);
  const arrow = { tab: null, row: "ArrowRight", options: "ArrowDown" }[place];
  for (let steps = 0; !(await one.evaluate(isActive)); steps += 1) {
    if (arrow === null || steps === mostSteps)
      throw new Error(`The keyboard does not reach ${one}`);
    await page.keyboard.press(arrow);
  }
  if (kind === "text") return;
  const held = (options.modifiers ?? []).map((key) => `${key}+`).join("");
  await page.keyboard.press(`${held}${kind === "box" ? "Space" : "Enter"}`);
}

interface Focused {
  /** From where it is reached: with Tab, or with arrows from the start of its row, or from the field of its list. */
  readonly place: "tab" | "row" | "options";
  readonly kind: "text" | "box" | "button";
}

const controlOf = `
  const control = one.closest("label")?.control ??
    one.closest("[role=option], a[href], button, input, select, textarea, summary, [tabindex]") ?? one;`;

// Written as text, since the types of a browser's page are none of the tests'.
/** Focuses what is pressed, or where arrows to it begin. */
const focus = new Function(
  "one",
  `${controlOf}
  const isBox = control.matches("input[type=checkbox], input[type=radio], [role=switch], [role=checkbox]");
  const isText = !isBox && control.matches("input:not([type=button], [type=submit], [type=file]), textarea, select");
  const kind = isBox ? "box" : isText ? "text" : "button";
  if (control.matches("[role=option]")) return { place: "options", kind };
  // A list has one stop for Tab, its row that had the focus last.
  const row = control.closest("tr[tabindex]");
  if (row !== null) {
    row.focus();
    return { place: "row", kind };
  }
  const isInGroup = control.matches("[role^=menuitem], [role=tab], [role=radio]");
  if (control.tabIndex >= 0 || isInGroup) control.focus();
  return { place: "tab", kind };`,
) as () => Focused;

const isActive = new Function(
  "one",
  `${controlOf}
  const active = document.activeElement;
  return active === control || (control.id !== "" && control.id === active?.getAttribute("aria-activedescendant"));`,
) as () => boolean;
