import { afterEach, expect, test, vi } from "vitest";
import {
  type BatchItem,
  batchSize,
  begun,
  type ProgressEvent,
  progressed,
  runBatches,
} from "../../../runtime/dashboard/web/api/records/batches.js";

afterEach(() => vi.unstubAllGlobals());

interface Sent {
  readonly key: string;
  readonly titles: readonly string[];
}

/** The API, as far as batches need it: what `fate` answers of a request. */
function serve(fate: (sent: Sent) => Promise<Response>): readonly Sent[] {
  const all: Sent[] = [];
  vi.stubGlobal("fetch", (_: string, { headers, body }: RequestInit) => {
    const { operations } = JSON.parse(String(body));
    const key = new Headers(headers).get("idempotency-key") ?? "";
    const sent = { key, titles: operations.map(({ create }: { create: string }) => create) };
    all.push(sent);
    return fate(sent);
  });
  return all;
}

const done = async () => Response.json({ errors: [] });

/** A run of so many writes, each called by its number. */
function started(many: number) {
  const watch = { state: begun(many) };
  const tell = (event: ProgressEvent) => {
    watch.state = progressed(watch.state, event);
  };
  async function* source(): AsyncGenerator<readonly BatchItem[], undefined> {
    for (let from = 0; from < many; from += batchSize) {
      const size = Math.min(batchSize, many - from);
      yield Array.from({ length: size }, (_, at) => {
        return { operation: { create: String(from + at) }, title: String(from + at) };
      });
    }
  }
  return { watch, run: runBatches(source, tell) };
}

test("a hundred writes go out at once, in at most two requests, each with its own key", async () => {
  let [now, most] = [0, 0];
  const sent = serve(async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now -= 1;
    return done();
  });
  const { watch, run } = started(450);
  await run.done;
  expect(watch.state).toMatchObject({ kind: "ended", written: 450, refused: [] });
  expect(sent.map(({ titles }) => titles.length)).toEqual([100, 100, 100, 100, 50]);
  expect(new Set(sent.flatMap(({ titles }) => titles)).size).toBe(450);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(5);
  expect(most).toBe(2);
});

test("without a response a run waits, and sends the same writes again with their key", async () => {
  let isBroken = true;
  const sent = serve(async ({ titles }) => {
    if (isBroken && titles[0] === "100") throw new TypeError("no network");
    return done();
  });
  const { watch, run } = started(300);
  await vi.waitFor(() => expect(watch.state).toMatchObject({ kind: "held", written: 200 }));
  isBroken = false;
  run.again();
  await run.done;
  expect(watch.state).toMatchObject({ kind: "ended", written: 300 });
  const again = sent.filter(({ titles }) => titles[0] === "100");
  expect(again.map(({ key }) => key)).toEqual([again[0]?.key, again[0]?.key]);
});

test("a batch whose first attempt is still in progress is not a refusal", async () => {
  let isEarly = true;
  serve(async () => {
    const early = { status: 409, headers: { "retry-after": "5" } };
    return isEarly ? Response.json({ error: "Still under way" }, early) : done();
  });
  const { watch, run } = started(3);
  await vi.waitFor(() => expect(watch.state.kind).toBe("held"));
  isEarly = false;
  run.again();
  await run.done;
  expect(watch.state).toMatchObject({ kind: "ended", written: 3, refused: [] });
});

test("stop ends after the requests in progress", async () => {
  const release: (() => void)[] = [];
  const sent = serve(async () => {
    await new Promise<void>((resolve) => release.push(resolve));
    return done();
  });
  const { watch, run } = started(500);
  await vi.waitFor(() => expect(release.length).toBe(2));
  run.stop();
  for (const one of release) one();
  await run.done;
  expect(watch.state).toMatchObject({ kind: "ended", written: 200 });
  expect(sent.length).toBe(2);
});

test("a batch refused as a whole is a refusal of each of its writes", async () => {
  serve(async () => Response.json({ error: "Not allowed" }, { status: 403 }));
  const { watch, run } = started(3);
  await run.done;
  expect(watch.state).toMatchObject({ kind: "ended", written: 0 });
  expect(watch.state.refused.map(({ title, reason }) => [title, reason])).toEqual([
    ["0", "Not allowed"],
    ["1", "Not allowed"],
    ["2", "Not allowed"],
  ]);
});
