import { expect } from "vitest";
import { signIn } from "./pages/sign-in.js";
import { journey } from "./support/journey.js";

journey.for([
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["/account/password?x=1", "/account/password?x=1"],
] as const)(
  "after signing in, redirectTo=%s opens %s",
  async ([redirectTo, expected], { stage, open }) => {
    const { email } = await stage.person("Wanderer");
    const { page } = await open({ at: `/sign-in?redirectTo=${encodeURIComponent(redirectTo)}` });
    await signIn(page, email);
    await page.waitForURL((url) => url.pathname !== "/sign-in");
    const { pathname, search, origin } = new URL(page.url());
    expect(origin + pathname + search).toBe(stage.url + expected);
  },
);
