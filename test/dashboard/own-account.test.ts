import { expect } from "vitest";
import { signIn } from "./pages/sign-in.js";
import { journeyOn } from "./support/journey.js";
import { openStage, password, sharedStage } from "./support/stage.js";

const journey = journeyOn(() =>
  sharedStage("own-accounts", () =>
    openStage("apps/shop", { SERVICE_REGISTRATION: "false", SHOP_OWN_ACCOUNTS: "true" }),
  ),
);

journey("an address is changed with the password and a mailed code", async ({ stage, open }) => {
  const person = await stage.person("Mary Moving");
  const to = `new.${person.email}`;
  const visit = await open({ as: person, at: "/account/profile" });
  const { page } = visit;
  await page.getByRole("button", { name: "Change…" }).click();
  const dialog = page.getByRole("dialog", { name: "Change your email address" });
  await dialog.getByRole("button", { name: "Send the code" }).click();
  await dialog.getByText("This cannot be empty").waitFor();
  await visit.rest();
  await dialog.getByLabel("New email address").fill(person.email.toUpperCase());
  await dialog.getByLabel("Your password").fill("wrong");
  await dialog.getByRole("button", { name: "Send the code" }).click();
  await dialog.getByText("Is your current address").waitFor();
  await dialog.getByLabel("New email address").fill(to);
  await dialog.getByRole("button", { name: "Send the code" }).click();
  await dialog.getByText("This password is wrong").waitFor();
  await visit.rest();
  await dialog.getByLabel("Your password").fill(password);
  const { code, link } = await stage.mailAfter(to, () =>
    dialog.getByRole("button", { name: "Send the code" }).click(),
  );
  expect(new URL(link).pathname).toBe("/change-email");
  await dialog.getByLabel("Code").fill(code === "111111" ? "222222" : "111111");
  await dialog.getByText("This code is wrong").waitFor();
  await visit.rest();
  await dialog.getByLabel("Code").fill(code);
  await page.getByText(`Your address is ${to}`).first().waitFor();
  await page.getByRole("main").getByText(to).first().waitFor();
  const other = await open({ at: "/sign-in" });
  await signIn(other.page, to);
  await other.page.getByRole("heading", { name: "Hello, Mary Moving" }).waitFor();
});

journey("the link in the mail changes the address, once", async ({ stage, open }) => {
  const person = await stage.person("Lena Link");
  const to = `new.${person.email}`;
  const { page } = await open({ as: person, at: "/account/profile" });
  await page.getByRole("button", { name: "Change…" }).click();
  await page.getByLabel("New email address").fill(to);
  await page.getByLabel("Your password").fill(password);
  const { link } = await stage.mailAfter(to, () =>
    page.getByRole("button", { name: "Send the code" }).click(),
  );
  // In another browser, without a sign-in.
  const other = await open({ at: link });
  expect(other.page.url()).toBe(`${stage.url}/change-email`);
  await other.rest();
  await other.page.getByRole("button", { name: "Change the address" }).click();
  await other.page.getByText("Your address is changed").waitFor();
  const again = await open({ at: link });
  await again.page.getByRole("button", { name: "Change the address" }).click();
  await again.page.getByText("This link no longer works").waitFor();
  await page.goto("/account/profile");
  await page.getByRole("main").getByText(to).waitFor();
});

journey("an account is deleted by its owner, with the password", async ({ stage, open }) => {
  const person = await stage.person("Gerd Going");
  const visit = await open({ as: person, at: "/account/profile" });
  const { page } = visit;
  await page.getByRole("button", { name: "Delete account…" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete your account?" });
  await question.getByRole("button", { name: "Delete account" }).click();
  await question.getByText("Is required").waitFor();
  await visit.rest();
  await question.getByLabel("Your password").fill("wrong");
  await question.getByRole("button", { name: "Delete account" }).click();
  await question.getByText("This password is wrong").waitFor();
  await question.getByLabel("Your password").fill(password);
  await question.getByRole("button", { name: "Delete account" }).click();
  await page.getByRole("heading", { name: /^Sign in to/ }).waitFor();
  const left = await stage.app.db.query("select from service.users where id = $1", [person.id]);
  expect(left).toEqual([]);
});

journey("a new user signs up with a mailed code, and chooses a name", async ({ stage, open }) => {
  const email = "nina.new@example.com";
  await stage.app.db.query("delete from service.users where email = $1", [email]);
  const visit = await open({ at: "/sign-in" });
  const { page } = visit;
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByRole("button", { name: "Email me a code" }).click();
  expect(await page.getByText("This cannot be empty").count()).toBe(2);
  await visit.rest();
  await page.getByLabel("Name").fill("Nina New");
  await page.getByLabel("Email address").fill(email);
  const { code } = await stage.mailAfter(email, () =>
    page.getByRole("button", { name: "Email me a code" }).click(),
  );
  await page.getByText(`A code is on its way to ${email}`).waitFor();
  await visit.rest();
  await page.getByLabel("Code").fill(code);
  await page.getByRole("heading", { name: "Hello, Nina New" }).waitFor();
  await page.goto("/account/profile");
  await page.getByText("verified", { exact: true }).waitFor();
});
