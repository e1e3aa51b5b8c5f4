import { journey } from "./support/journey.js";

journey(
  "a mailed code is accepted with spaces, submitted automatically once, and refused at its field",
  async ({ stage, open }) => {
    const { email } = await stage.person("Nancy Davolio");
    const visit = await open({ at: "/sign-in" });
    const { page } = visit;
    await page.getByRole("button", { name: "Email me a six-digit code" }).click();
    await page.getByText("Enter your email address first").waitFor();
    await page.getByLabel("Email address").fill(email);
    const { code } = await stage.mailAfter(email, () =>
      page.getByRole("button", { name: "Email me a six-digit code" }).click(),
    );
    const wrong = code === "111111" ? "222222" : "111111";
    await page.getByLabel("Code").fill(wrong);
    await page.getByText("This code is wrong").waitFor();
    await visit.rest();
    let tries = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/email-code/verify")) tries += 1;
    });
    await page.getByLabel("Code").fill(` ${code.slice(0, 3)} ${code.slice(3)} `);
    await page.getByRole("heading", { name: "Hello, Nancy Davolio" }).waitFor();
    if (tries !== 1) throw new Error(`the code was sent ${tries} times`);
  },
);
