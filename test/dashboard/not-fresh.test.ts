import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

journey(
  "after more than a day, signing in again comes before adding a passkey",
  async ({ stage, open }) => {
    const person = await stage.person("Frida Fresh");
    const visit = await open({ as: person, at: "/account/passkeys" });
    const { page } = visit;
    await stage.app.db.query(
      "update service.sessions set created_at = created_at - interval '25 hours' where user_id = $1",
      [person.id],
    );
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("You signed in more than a day ago").waitFor();
    await visit.rest();
    await page.getByRole("button", { name: "Sign in again" }).click();
    await signIn(page, person.email);
    await page.getByRole("heading", { name: "Passkeys" }).waitFor();
  },
);
