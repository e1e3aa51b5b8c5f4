import { ask } from "../runtime/dashboard/support/ask.js";
import { journey } from "./support/journey.js";

journey(
  "a mailed link signs in once, and a scanner that opens it first does not consume it",
  async ({ stage, open }) => {
    const { email } = await stage.person("Robert King");
    const visit = await open();
    const { page } = visit;
    await page.goto("/sign-in?redirectTo=%2Faccount%2Fpassword");
    await page.getByLabel("Email address").fill(email);
    const { link } = await stage.mailAfter(email, async () => {
      await page.getByRole("button", { name: "Email me a sign-in link" }).click();
      await page.getByRole("heading", { name: "Check your email" }).waitFor();
    });
    await visit.rest();
    const { pathname, search } = new URL(link);
    for (const method of ["GET", "HEAD"]) {
      const headers = { accept: "text/html" };
      await ask(stage.url, method, pathname + search, { headers });
    }
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    if (page.url().includes("token")) throw new Error(`a token in the address: ${page.url()}`);
    await page.reload();
    await visit.rest();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Password", level: 2 }).waitFor();

    const other = await open({ at: link });
    await other.page.getByRole("button", { name: "Sign in" }).click();
    await other.page.getByText("This link no longer works").waitFor();
  },
);
