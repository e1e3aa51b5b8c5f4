import type { Page } from "playwright-core";

/** What a window's main thread did, in milliseconds of processor time: a busy machine makes none of it longer. */
export interface Tasks {
  readonly longest: number;
  readonly sum: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own time. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Traces the window while something is done in it; nothing else may be under way in its browser. */
export async function tasksOf(page: Page, work: () => Promise<void>): Promise<Tasks> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("The window has no browser");
  await browser.startTracing(page, {
    categories: ["disabled-by-default-devtools.timeline", "__metadata"],
  });
  await work();
  const trace: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(
    (await browser.stopTracing()).toString(),
  );
  const events = trace.traceEvents;
  const all = events
    .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
    .map((thread) =>
      tasksIn(events.filter(({ pid, tid }) => pid === thread.pid && tid === thread.tid)),
    );
  // A browser has idle renderers beside the window's.
  const [busiest] = all.toSorted((one, other) => other.sum - one.sum);
  return busiest ?? { longest: Number.NaN, sum: Number.NaN };
}

function tasksIn(events: readonly TraceEvent[]): Tasks {
  const times = events.filter(({ name }) => name === "RunTask").map(({ tdur = 0 }) => tdur / 1_000);
  return { longest: Math.max(0, ...times), sum: times.reduce((sum, one) => sum + one, 0) };
}
