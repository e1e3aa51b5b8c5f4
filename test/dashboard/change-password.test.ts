import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";
import { password } from "./support/stage.js";

journey(
  "a password is changed with the previous one, and the new one signs in",
  async ({ stage, open }) => {
    const person = await stage.person("Helen Bennett");
    const visit = await open({ as: person, at: "/account/password" });
    const { page } = visit;
    await page.getByLabel("Current password").fill("wrong");
    await page.getByLabel("New password").fill("another battery staple");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("This password is wrong").waitFor();
    await visit.rest();
    await page.getByLabel("Current password").fill(password);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed").waitFor();
    const other = await open({ at: "/sign-in" });
    await signIn(other.page, person.email, "another battery staple");
    await other.page.getByRole("heading", { name: "Hello, Helen Bennett" }).waitFor();
  },
);
