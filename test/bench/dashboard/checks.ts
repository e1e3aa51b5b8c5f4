import type { Check } from "../check.js";
import type { Plan } from "../rounds.js";
import { filtered, firstList } from "./answers.js";
import { scrolling, typing } from "./frames.js";
import { heap } from "./memory.js";
import { type Dashboard, openDashboard } from "./open.js";
import { opened, typingInForm } from "./record.js";
import { requests } from "./requests.js";
import { signInPage } from "./sign-in.js";

/** What must hold of the dashboard before a million products, in a Chromium. */
export function dashboardChecks({ rounds }: Plan): readonly Check[] {
  // Windows open in a second: there is time for more of them than of a server's rounds.
  const tries = 3 * rounds;
  let open: Promise<Dashboard> | undefined;
  const check = (name: string, measure: (dashboard: Dashboard) => ReturnType<Check["run"]>) => ({
    name,
    run: async ({ adminUrl }: Parameters<Check["run"]>[0]) => {
      open ??= openDashboard(adminUrl);
      return measure(await open);
    },
  });
  return [
    check("sign-in page", (dashboard) => signInPage(dashboard, tries)),
    check("requests", requests),
    check("first list", (dashboard) => firstList(dashboard, tries)),
    check("filter", (dashboard) => filtered(dashboard, tries)),
    check("record", (dashboard) => opened(dashboard, tries)),
    check("form of a record", (dashboard) => typingInForm(dashboard, tries)),
    check("typing", (dashboard) => typing(dashboard, tries)),
    check("scrolling", (dashboard) => scrolling(dashboard, tries)),
    check("heap", heap),
  ];
}
