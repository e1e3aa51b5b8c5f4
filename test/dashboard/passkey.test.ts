import { expect } from "vitest";
import { useVirtualAuthenticator } from "./support/authenticator.js";
import { journey } from "./support/journey.js";

journey("a passkey is added, renamed, signs in, and is removed", async ({ stage, open }) => {
  const person = await stage.person("Michael Suyama");
  const visit = await open({ as: person, at: "/account/passkeys" });
  const { page } = visit;
  await useVirtualAuthenticator(page);
  await page.getByText("You have no passkeys yet").waitFor();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Passkey added").waitFor();
  await page.getByRole("button", { name: "More actions for Passkey" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Blue key");
  await visit.rest();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Blue key").waitFor();
  await page.getByRole("button", { name: /^Your account: / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  // In the autofill of the address, or by the button: whichever comes first.
  await page.getByRole("heading", { name: /^Sign in to Shop|^Hello/ }).waitFor();
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  const hello = page.getByRole("heading", { name: "Hello, Michael Suyama" });
  await expect
    .poll(
      async () => {
        await button.or(hello).first().waitFor();
        if (!(await hello.isVisible())) await button.click({ timeout: 3_000 }).catch(() => {});
        return hello.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  await page.goto("/account/passkeys");
  await page.getByRole("button", { name: "More actions for Blue key" }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove passkey" }).click();
  await page.getByText("You have no passkeys yet").waitFor();
});
