import { expect } from "vitest";
import { keepCodes } from "./pages/second-step.js";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";
import { password } from "./support/stage.js";

journey(
  "a code by email is the second step, and new backup codes replace the old",
  async ({ stage, open }) => {
    const person = await stage.person("Janet Mailer");
    const visit = await open({ as: person, at: "/account/second-step" });
    const { page } = visit;
    await page.getByRole("button", { name: "Use codes by email" }).click();
    await page.getByLabel("Your password").fill(password);
    const { code } = await stage.mailAfter(person.email, () =>
      page.getByRole("button", { name: "Continue" }).click(),
    );
    const field = page.getByLabel(`Code that was mailed to ${person.email}`);
    await field.waitFor();
    await visit.rest();
    await field.fill(code);
    const first = await keepCodes(page);

    await page.getByRole("button", { name: "New backup codes…" }).click();
    const dialog = page.getByRole("dialog", { name: "Generate new backup codes?" });
    await dialog.getByLabel("Your password").fill("wrong");
    await dialog.getByRole("button", { name: "Generate new codes" }).click();
    await dialog.getByText("This password is wrong").waitFor();
    await visit.rest();
    await dialog.getByLabel("Your password").fill(password);
    await dialog.getByRole("button", { name: "Generate new codes" }).click();
    const second = await keepCodes(page);
    expect(second).toHaveLength(10);
    expect(second.filter((one) => first.includes(one))).toEqual([]);

    const other = await open({ at: "/sign-in" });
    const door = other.page;
    await signIn(door, person.email);
    await door.getByRole("heading", { name: "One more step" }).waitFor();
    expect(await door.getByRole("button", { name: "Use the authenticator app" }).count()).toBe(0);
    await door.getByRole("button", { name: "Use a backup code" }).click();
    await door.getByLabel("Backup code").fill(first[0] ?? "");
    await door.getByRole("button", { name: "Confirm" }).click();
    await door.getByText("This code is wrong").waitFor();
    await other.rest();
    const mailed = await stage.mailAfter(person.email, () =>
      door.getByRole("button", { name: /^Email a code to j•••@/ }).click(),
    );
    await door.getByLabel("Code", { exact: true }).fill(mailed.code);
    await door.getByRole("heading", { name: "Hello, Janet Mailer" }).waitFor();

    await page.getByRole("button", { name: "Turn off…" }).click();
    const off = page.getByRole("dialog", { name: "Turn off the second step?" });
    await off.getByLabel("Your password").fill(password);
    await off.getByRole("button", { name: "Turn off second step" }).click();
    await page.getByText("The second step is off").waitFor();
  },
);
