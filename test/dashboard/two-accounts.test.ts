import { expect } from "vitest";
import { draftKept, field, makeProduct } from "./pages/record.js";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

journey(
  "a tab whose cookie has become another user's neither shows nor writes text that the first one typed",
  async ({ stage, open }) => {
    const first = await stage.person("Anna Before", "editor");
    const second = await stage.person("Boris After", "editor");
    const product = await makeProduct(stage);
    const { page, context } = await open({ as: first, at: `/data/products/${product.id}` });
    await field(page, "Name").fill("Anna's secret jam");
    await draftKept(page);
    // One that sleeps, and hears of nothing.
    const asleep = await context.newPage();
    await asleep.addInitScript(`
      for (const type of ["storage", "focus"]) {
        addEventListener(type, (event) => event.stopImmediatePropagation(), true);
      }`);
    await asleep.goto(`/data/products/${product.id}`);
    await asleep.getByText("You left unsaved changes here").waitFor();
    await field(asleep, "Name").fill("Anna's other jam");

    const other = await context.newPage();
    await other.goto("/sign-in");
    await signIn(other, second.email);
    await other.getByRole("heading", { name: "Hello, Boris After" }).waitFor();

    const isTheirs = async (tab: typeof page) => {
      await tab.getByRole("button", { name: /^Your account: Boris After/ }).waitFor();
      await expect.poll(() => field(tab, "Name").inputValue()).toBe(product.name);
      expect(await tab.getByText("You left unsaved changes here").count()).toBe(0);
    };
    await isTheirs(page);
    expect(await asleep.getByRole("button", { name: /^Your account: Anna Before/ }).count()).toBe(
      1,
    );
    const sent: string[] = [];
    asleep.on("request", (request) => sent.push(request.method()));
    await asleep.getByRole("button", { name: "Save", exact: true }).click();
    await isTheirs(asleep);
    expect(sent).not.toContain("PATCH");
  },
);

journey(
  "signing out in one tab signs out in the others, and a draft waits for its author",
  async ({ stage, open }) => {
    const person = await stage.person("Olga Out", "editor");
    const product = await makeProduct(stage);
    const visit = await open({ as: person, at: `/data/products/${product.id}` });
    const { page } = visit;
    await field(page, "Name").fill("Half a name");
    const other = await visit.context.newPage();
    await other.goto("/");
    await other.getByRole("button", { name: /^Your account: / }).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await other.getByRole("heading", { name: "Sign in to Shop" }).waitFor();
    await page.getByRole("heading", { name: "Sign in to Shop" }).waitFor();
    await signIn(page, person.email);
    await page.getByText("You left unsaved changes here").waitFor();
    // Who has unsaved changes is asked before anything is signed out.
    await field(page, "Name").fill("Another half");
    await page.getByRole("button", { name: /^Your account: / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const question = page.getByRole("dialog");
    await question.getByRole("button", { name: "Stay" }).click();
    expect(await visit.context.cookies()).toHaveLength(1);
    await page.getByRole("button", { name: /^Your account: / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await question.getByRole("button", { name: "Leave", exact: true }).click();
    await page.getByRole("heading", { name: "Sign in to Shop" }).waitFor();
    expect(await visit.context.cookies()).toEqual([]);
  },
);
