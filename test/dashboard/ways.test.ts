import { expect } from "vitest";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

journey(
  "the sign-in method used last in this browser is offered first, with the address",
  async ({ stage, open }) => {
    const { email } = await stage.person("Wanda Ways");
    const visit = await open({ at: "/sign-in" });
    const { page } = visit;
    const names = async () => {
      const buttons = await page.getByRole("main").getByRole("button").allTextContents();
      return buttons.filter((name) => name !== "");
    };
    expect((await names())[0]).toBe("Sign in");
    await page.getByLabel("Email address").fill(email);
    const { code } = await stage.mailAfter(email, () =>
      page.getByRole("button", { name: "Email me a six-digit code" }).click(),
    );
    await page.getByLabel("Code").fill(code);
    await page.getByRole("heading", { name: "Hello, Wanda Ways" }).waitFor();
    await page.getByRole("button", { name: /^Your account: / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("The method that you used last time").waitFor();
    expect((await names())[0]).toBe("Email me a six-digit code");
    expect(await page.getByLabel("Email address").inputValue()).toBe(email);
    await visit.rest();
    await signIn(page, email);
    await page.getByRole("heading", { name: "Hello, Wanda Ways" }).waitFor();
  },
);

journey("a disabled sign-in method is not offered", async ({ open }) => {
  const { page } = await open();
  const off: Record<string, boolean> = {};
  await page.route("**/api/auth/config", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...off } });
  });
  const offers = [
    ["registration", page.getByRole("link", { name: "Create an account" })],
    ["passkeys", page.getByRole("button", { name: "Sign in with a passkey" })],
    ["magicLink", page.getByRole("button", { name: "Email me a sign-in link" })],
    ["emailCode", page.getByRole("button", { name: "Email me a six-digit code" })],
  ] as const;
  const seen = async () => {
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    return Promise.all(offers.map(([, offer]) => offer.count()));
  };
  expect(await seen()).toEqual([1, 1, 1, 1]);
  // One after the other, until only the password is left.
  const left = [1, 1, 1, 1];
  for (const [at, [name]] of offers.entries()) {
    off[name] = false;
    left[at] = 0;
    expect(await seen()).toEqual(left);
  }
  expect(await page.getByText("Sign in without a password").count()).toBe(0);
  await page.goto("/register");
  await page.getByText("Only the people who run this app can create accounts").waitFor();
});
