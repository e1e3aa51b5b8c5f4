import type { Page } from "playwright-core";

/** What each page measures: while `frames` is a list, the milliseconds between one frame and the next. */
export const observe = `
  globalThis.bench = {
    frames: null,
    record() {
      bench.frames = [];
      let last = null;
      const onFrame = (at) => {
        if (bench.frames === null) return;
        if (last !== null) bench.frames.push(at - last);
        last = at;
        requestAnimationFrame(onFrame);
      };
      requestAnimationFrame(onFrame);
    },
    // From the next click until the rows that 'isThere' knows have been painted.
    afterClick(isThere) {
      const clicked = new Promise((done) =>
        addEventListener("click", ({ timeStamp }) => done(timeStamp), { capture: true, once: true }),
      );
      bench.took = clicked.then((began) => bench.until(isThere).then((at) => at - began));
    },
    async until(isThere) {
      while (!isThere()) await new Promise((done) => requestAnimationFrame(done));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now();
    },
  };`;

/** Milliseconds from a click until its result is painted: an expression that becomes true. */
export async function clickTime(
  page: Page,
  isThere: string,
  click: () => Promise<void>,
): Promise<number> {
  await page.evaluate(`bench.afterClick(() => ${isThere})`);
  await click();
  return page.evaluate<number>("bench.took");
}

export interface Frames {
  /** The longest time between two of them, in milliseconds. */
  readonly longest: number;
  readonly perSecond: number;
}

/** The frames that a window draws while something is done. */
export async function framesOf(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate("bench.record()");
  await work();
  const frames = await page.evaluate<readonly number[]>(
    "(() => { const { frames } = bench; bench.frames = null; return frames; })()",
  );
  const all = frames.reduce((sum, one) => sum + one, 0);
  return { longest: Math.max(...frames), perSecond: (1_000 * frames.length) / all };
}
