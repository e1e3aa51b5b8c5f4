import { expect } from "vitest";
import { startProvider, type TestProvider } from "../support/accounts/provider.js";
import { draftKept, field, fresh, make, save } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, sharedStage } from "./support/stage.js";

let provider: TestProvider;

const journey = journeyOn(() =>
  sharedStage("providers", async () => {
    provider = await startProvider();
    const { url } = provider;
    const settings = `auth:
  check_breached_passwords: false
  operators: [admin]
  providers:
    acme: { issuer: "${url}/acme", title: Acme, client_id: shop, client_secret: s }
    google: { issuer: "${url}", client_id: shop, client_secret: s, register: true }
server: { host: 127.0.0.1 }
`;
    const descriptors = new Map([["notes.yaml", "fields: { name: { type: string } }\n"]]);
    return openWrittenStage({ descriptors, settings });
  }),
);

const atProvider = /^http:\/\/127\.0\.0\.1:\d+\/authorize/;

journey("a new user signs in with a provider, and unlinks it", async ({ stage, open }) => {
  await stage.app.db.query("delete from service.users where email = 'grace.hopper@example.com'");
  const visit = await open();
  const { page } = visit;
  visit.allow(atProvider);
  await page.goto("/sign-in?redirectTo=%2Faccount%2Fprofile");
  const buttons = page.getByRole("button", { name: /^Sign in with (?!a passkey)/ });
  await buttons.first().waitFor();
  expect(await buttons.allTextContents()).toEqual(["Sign in with Acme", "Sign in with Google"]);
  await visit.rest();
  provider.person = {
    sub: "grace",
    email: "grace.hopper@example.com",
    email_verified: true,
    name: "Grace Hopper",
  };
  await page.getByRole("button", { name: "Sign in with Google" }).click();
  await page.getByRole("heading", { name: "Profile", level: 2 }).waitFor();
  expect(page.url()).not.toContain("ticket");
  const [cookie] = await page.context().cookies(stage.url);
  expect(cookie).toMatchObject({ name: "service_token", httpOnly: true, sameSite: "Lax" });

  await page.getByRole("link", { name: "Linked sign-ins" }).first().click();
  await page.getByRole("main").getByText("grace.hopper@example.com").first().waitFor();
  await visit.rest();
  await page.getByRole("button", { name: "Link Acme", exact: true }).click();
  await page.getByRole("button", { name: "Unlink Acme…" }).waitFor();
  await page.getByRole("button", { name: "Unlink Google…" }).click();
  const question = page.getByRole("alertdialog", { name: "Unlink Google?" });
  await question.getByRole("button", { name: "Unlink" }).click();
  await page.getByRole("button", { name: "Link Google", exact: true }).waitFor();
  // The button that had the focus is gone.
  await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("H1");
});

journey(
  "no provider is linked if a different account has signed in meanwhile",
  async ({ stage, open }) => {
    const first = await stage.person("Begins Here");
    const other = await stage.person("Ends Here");
    const visit = await open({ as: first, at: "/account/sign-ins" });
    const { page } = visit;
    visit.allow(atProvider);
    provider.person = { sub: "begins", email: first.email, email_verified: true };
    const button = page.getByRole("button", { name: "Link Acme", exact: true });
    await button.waitFor();
    const value = await stage.cookieOf(other);
    await page.context().addCookies([{ name: "service_token", value, url: stage.url }]);
    await button.click();
    await page.getByText("a different account from the one you are signed in to now").waitFor();
    const desk = await open({ as: other, at: "/account/sign-ins" });
    await desk.page.getByRole("button", { name: "Link Acme", exact: true }).waitFor();
  },
);

journey(
  "a refused user reads the reason, and operators see linked identities",
  async ({ stage, open }) => {
    const visit = await open();
    const { page } = visit;
    visit.allow(atProvider);
    provider.person = null;
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in with Acme" }).click();
    await page.getByText("You did not sign in at the provider").waitFor();
    await visit.rest();
    await page.getByRole("link", { name: "Back to sign-in" }).click();
    const known = await stage.person("Ada Known");
    provider.person = { sub: known.id, email: known.email, email_verified: true };
    await page.getByRole("button", { name: "Sign in with Acme" }).click();
    await page.waitForURL(`${stage.url}/`);
    // A page sent by an attacker has no secret that matches its ticket.
    const other = await open({ at: "/sign-in/provider?ticket=stolen" });
    await other.page.getByText("was begun in another browser").waitFor();
    expect(other.page.url()).not.toContain("stolen");

    const admin = await stage.person("Operator", "admin");
    const desk = await open({ as: admin, at: `/accounts/${known.id}` });
    await desk.page.getByText(`Acme (${known.email})`).waitFor();
  },
);

journey(
  "a session that ends during a form is renewed with a provider, and the draft is there",
  async ({ stage, open }) => {
    const person = await stage.person("Rita Returns");
    const note = await make(stage, "notes", { name: fresh("Note") });
    const visit = await open({ as: person, at: `/data/notes/${note.id}` });
    const { page } = visit;
    visit.allow(atProvider);
    await field(page, "Name").fill("Half a sentence");
    await draftKept(page);
    await stage.app.db.query("delete from service.sessions where user_id = $1", [person.id]);
    await save(page);
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    const buttons = dialog.getByRole("button", { name: /^Sign in with / });
    await buttons.first().waitFor();
    expect(await buttons.allTextContents()).toEqual(["Sign in with Acme", "Sign in with Google"]);
    await visit.rest();
    provider.person = { sub: person.id, email: person.email, email_verified: true };
    await dialog.getByRole("button", { name: "Sign in with Acme" }).click();
    await page.getByText("You left unsaved changes here").waitFor();
    await page.getByRole("button", { name: "Restore them" }).click();
    await save(page);
    await page.getByText("1 field changed").waitFor({ state: "detached" });
    expect(await field(page, "Name").inputValue()).toBe("Half a sentence");
  },
);
