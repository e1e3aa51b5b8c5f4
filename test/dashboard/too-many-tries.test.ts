import { expect } from "vitest";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

journey("a delay after too many attempts is counted down", async ({ stage, open }) => {
  const { email } = await stage.person("Clumsy");
  const visit = await open({ at: "/sign-in" });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await fetch(`${stage.app.url}/api/auth/token`, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ email, password: "wrong" }),
    });
  }
  await signIn(visit.page, email);
  const clock = visit.page.getByText(/You can try again in \d+:\d\d/);
  const told = await clock.textContent();
  await expect.poll(() => clock.textContent()).not.toBe(told);
});
