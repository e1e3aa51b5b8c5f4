import { generateSync } from "otplib";
import type { Page } from "playwright-core";
import { scan, setUpAuthenticator } from "./pages/second-step.js";
import { signIn } from "./pages/sign-in.js";
import { draw, pictureFolder } from "./support/draw.js";
import { journey } from "./support/journey.js";
import type { Person, Stage } from "./support/stage.js";

interface Drawn {
  readonly as?: string;
  readonly at: string;
  /** Continues from there. */
  readonly next?: (page: Page, stage: Stage, person: Person | undefined) => Promise<unknown>;
}

const screens: Readonly<Record<string, Drawn>> = {
  "sign-in": { at: "/sign-in" },
  "sign-in-refused": {
    at: "/sign-in",
    next: async (page) => {
      await signIn(page, "laura.callahan@example.com", "wrong");
      await page.getByText("is wrong").waitFor();
    },
  },
  "sign-in-code": {
    at: "/sign-in",
    next: async (page) => {
      await page.getByLabel("Email address").fill("laura.callahan@example.com");
      await page.getByRole("button", { name: "Email me a six-digit code" }).click();
      await page.getByLabel("Code").waitFor();
    },
  },
  "sign-in-link": { at: "/sign-in/link?token=abc" },
  "second-step": {
    as: "Laura Callahan",
    at: "/account/second-step",
    next: async (page, _stage, person) => {
      await setUpAuthenticator(page);
      await page.context().clearCookies();
      await page.goto("/sign-in");
      await signIn(page, person?.email ?? "");
      await page.getByLabel("Code").fill("000000");
      await page.getByText("4 attempts and").waitFor();
    },
  },
  register: {
    at: "/register",
    next: (page) => page.getByRole("button", { name: "Create account" }).click(),
  },
  "verify-link": { at: "/verify-email?token=abc" },
  "verify-code": { at: "/verify-email" },
  "change-email": { at: "/change-email?token=abc" },
  forgot: { at: "/forgot-password" },
  reset: { at: "/reset-password?token=abc" },
  profile: { as: "Laura Callahan", at: "/account/profile" },
  password: { as: "Laura Callahan", at: "/account/password" },
  "two-factor": { as: "Laura Callahan", at: "/account/second-step" },
  "two-factor-set-up": {
    as: "Laura Callahan",
    at: "/account/second-step",
    next: async (page) => {
      await page.getByRole("button", { name: "Set up an authenticator app" }).click();
      await scan(page);
    },
  },
  "two-factor-codes": {
    as: "Laura Callahan",
    at: "/account/second-step",
    next: async (page) => {
      await page.getByRole("button", { name: "Set up an authenticator app" }).click();
      const secret = (await scan(page)).searchParams.get("secret") ?? "";
      await page.getByLabel("Code from the app").fill(generateSync({ secret }));
      await page.getByRole("heading", { name: "Save your backup codes" }).waitFor();
    },
  },
  passkeys: { as: "Laura Callahan", at: "/account/passkeys" },
  devices: {
    as: "Laura Callahan",
    at: "/account/devices",
    next: async (page, stage, person) => {
      if (person !== undefined) await stage.cookieOf(person);
      await page.reload();
      await page.getByRole("button", { name: "Sign out all others" }).waitFor();
    },
  },
  accounts: { as: "Andrew Fuller", at: "/accounts" },
  account: {
    as: "Andrew Fuller",
    at: "/accounts",
    next: async (page) => {
      await page.getByRole("link", { name: "Andrew Fuller" }).first().click();
      await page.getByText("Joined").waitFor();
    },
  },
  invite: {
    as: "Andrew Fuller",
    at: "/accounts",
    next: async (page) => {
      await page.getByRole("button", { name: "Invite" }).click();
      await page.getByRole("button", { name: "Send invitation" }).click();
    },
  },
  events: { as: "Andrew Fuller", at: "/accounts/events" },
  rights: { as: "Andrew Fuller", at: "/accounts/rights" },
  "service-tokens": { as: "Laura Callahan", at: "/account/tokens" },
  home: { as: "Andrew Fuller", at: "/" },
  missing: { as: "Andrew Fuller", at: "/nowhere" },
};

journey.runIf(pictureFolder !== undefined).for(Object.entries(screens))(
  "%s is drawn",
  async ([name, { as, at, next }], { stage, open }) => {
    const person = as === undefined ? undefined : await stage.person(as, "admin");
    const visit = await open({ ...(person === undefined ? {} : { as: person }), at });
    await next?.(visit.page, stage, person);
    await visit.page.waitForLoadState("networkidle");
    await draw(visit, name);
  },
);
