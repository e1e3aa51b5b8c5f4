import { expect } from "vitest";
import { journey } from "./support/journey.js";

// Written as text, since the types of a browser's page are none of the tests'.
const border = new Function("one", "return getComputedStyle(one).borderTopWidth") as () => string;
const colours = new Function(
  "one",
  "return [getComputedStyle(one).color, getComputedStyle(document.body).color]",
) as () => readonly string[];

journey(
  "with forced colours, selected items and buttons have a border",
  async ({ stage, open }) => {
    const as = await stage.person("Fiona Forced", "admin");
    const visit = await open({ as, at: "/account/second-step", forcedColors: "active" });
    const { page } = visit;
    const widthOf = (name: string) =>
      page.getByRole("link", { name, exact: true }).first().evaluate(border);
    expect(await widthOf("Second step")).toBe("1px");
    expect(await widthOf("Passkeys")).toBe("0px");
    const main = page.getByRole("button", { name: "Set up an authenticator app" });
    expect(await main.evaluate(border)).toBe("2px");
    await page.goto("/accounts");
    await page.getByRole("link", { name: "Fiona Forced" }).first().click();
    await visit.rest();
    await page.keyboard.press("Control+k");
    await visit.rest();
  },
);

journey("a preference for more contrast replaces muted text", async ({ stage, open }) => {
  const as = await stage.person("Mona More");
  const seen = async (contrast: "more" | "no-preference") => {
    const { page } = await open({ as, at: "/account/profile", contrast });
    return page.getByText("How others see you.").evaluate(colours);
  };
  const [muted, text] = await seen("no-preference");
  expect(muted).not.toBe(text);
  expect(await seen("more")).toEqual([text, text]);
});
