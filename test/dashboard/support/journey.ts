import { type TestAPI, test } from "vitest";
import { hasChromium } from "../../support/browser/chromium.js";
import { isByTouch } from "./hands.js";
import { type Stage, stageOf } from "./stage.js";
import { openVisit, type Visit, type VisitOptions } from "./visit.js";

export interface Journey {
  /** Shared by all journeys of this process: find what is yours by its name. */
  readonly stage: Stage;
  /** Opens a window on it; each is looked at, and closed, at the end. */
  readonly open: (options?: VisitOptions) => Promise<Visit>;
  /** Leaves out, for that reason, what a finger on a phone cannot do by its nature: `BY=touch`. */
  readonly notByTouch: (reason: string) => void;
}

/** A test in a browser. Its windows may not go wrong in any way, said by `Visit`. */
export const journey = journeyOn(() => stageOf("apps/shop"));

/** The same on another stage. */
export function journeyOn(openStage: () => Promise<Stage>): TestAPI<Journey> {
  return test
    .extend<Journey>({
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads in the pattern what a fixture needs
      stage: async ({}, use) => use(await openStage()),
      notByTouch: async ({ skip }, use) => use((reason) => skip(isByTouch, reason)),
      open: async ({ stage, task }, use) => {
        const visits: Visit[] = [];
        await use(async (options) => {
          const visit = await openVisit(stage, options);
          visits.push(visit);
          return visit;
        });
        const isGood = (task.result?.errors ?? []).length === 0;
        for (const visit of visits) {
          const isOpen = !visit.page.isClosed() && visit.page.url() !== "about:blank";
          if (isGood && isOpen) await visit.rest();
          await visit.close();
        }
      },
    })
    .skipIf(!hasChromium) as TestAPI<Journey>;
}
