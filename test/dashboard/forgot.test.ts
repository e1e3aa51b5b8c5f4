import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

journey("a forgotten password is replaced by the mailed link", async ({ stage, open }) => {
  const { email } = await stage.person("Steven Buchanan");
  const visit = await open({ at: "/sign-in" });
  const { page } = visit;
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("button", { name: "Email me a link" }).waitFor();
  await page.getByLabel("Email address").fill(email);
  await visit.rest();
  const { link } = await stage.mailAfter(email, () =>
    page.getByRole("button", { name: "Email me a link" }).click(),
  );
  await page.goto(link);
  await page.getByLabel("New password").fill("1234567");
  await page.getByRole("button", { name: "Set password" }).click();
  await page
    .getByText(/8 characters/)
    .first()
    .waitFor();
  await visit.rest();
  await page.getByLabel("New password").fill("another battery staple");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("link", { name: "Sign in" }).click();
  await signIn(page, email, "another battery staple");
  await page.getByRole("heading", { name: "Hello, Steven Buchanan" }).waitFor();
});
