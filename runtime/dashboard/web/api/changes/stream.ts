import { openEvents, waitForSession } from "../client/client.js";
import type { Row } from "../client/types.js";
import { isShownOnline, whenShownOnline } from "./attention.js";
import { newEventReader, type StreamEvent } from "./events.js";

export interface Change {
  readonly resource: string;
  /** `create`: the record is now among those watched; `delete`: it no longer is. */
  readonly op: "create" | "update" | "delete";
  readonly id: string;
  /** Null for a deletion, or if the record is too large. */
  readonly record: Row | null;
}

export interface StreamOptions {
  /** The watched records, by resource. */
  readonly watch: Readonly<Record<string, object | true>>;
  /** The position after which the stream begins; null for the current position. */
  readonly after: string | null;
  /** Called as soon as the stream will receive all later commits. */
  readonly onReady?: () => void;
  readonly onChanges: (changes: readonly Change[]) => void;
  /**
   * Called if changes were missed. Must reload the displayed data and resolve with its position, or with null for the
   * current position.
   */
  readonly onReset: () => Promise<string | null>;
}

/** Milliseconds before the first reconnection. */
const firstWait = 1_000;
const longestWait = 30_000;
/** Milliseconds to wait if the server has no room for another stream; the page does not report this to the user. */
const fullWait = 60_000;
/** Milliseconds for which a hidden page keeps its stream: browsers limit the connections of all pages of a site. */
const hiddenMs = 10_000;

/** The reason why a connection ended. */
type Ended =
  | { readonly kind: "broken"; readonly isReady: boolean }
  | { readonly kind: "hidden" }
  | { readonly kind: "full"; readonly ms: number }
  | { readonly kind: "reset" }
  | { readonly kind: "signed-out"; readonly challenge: string }
  | { readonly kind: "over" };

/**
 * Reports changes as they happen while the page is visible, and resumes after an interruption. If the server refuses
 * permanently or has no room, neither changes nor errors are reported. The returned function closes the stream.
 */
export function openStream(options: StreamOptions): () => void {
  const over = new AbortController();
  void follow(options, over.signal).catch(() => {});
  return () => over.abort();
}

async function follow(options: StreamOptions, over: AbortSignal): Promise<void> {
  let last = options.after;
  let failures = 0;
  const note = (position: string) => {
    last = position;
  };
  while (!over.aborted) {
    await whenShownOnline(over);
    const ended = await connect(options, last, { note, over });
    if (over.aborted) return;
    if (ended.kind === "over") return;
    // A user who cancels the sign-in leaves the page.
    if (ended.kind === "signed-out" && !(await waitForSession(401, ended.challenge))) return;
    if (ended.kind === "reset") last = await options.onReset();
    if (ended.kind === "full") await sleep(ended.ms, over);
    if (ended.kind === "broken" || ended.kind === "reset") {
      failures = ended.kind === "broken" && ended.isReady ? 0 : failures + 1;
      await sleep(
        Math.min(longestWait, firstWait * 2 ** failures) * (0.5 + Math.random() / 2),
        over,
      );
    }
  }
}

/** Opens one connection and waits until it ends. */
async function connect(
  { watch, onReady, onChanges }: StreamOptions,
  last: string | null,
  { note, over }: { readonly note: (position: string) => void; readonly over: AbortSignal },
): Promise<Ended> {
  const connection = new AbortController();
  const end = () => connection.abort();
  over.addEventListener("abort", end, { once: true });
  const stopWatching = whileHidden(hiddenMs, end);
  let isReady = false;
  try {
    const query = new URLSearchParams({ watch: JSON.stringify(watch) });
    const path = `/_service/changes?${query}`;
    const response = await openEvents(path, connection.signal, last);
    if (!response.ok || response.body === null) return refusalOf(response);
    const read = newEventReader();
    const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await chunks.read();
      if (done) return { kind: "broken", isReady };
      const events = read(value);
      const changes = events.filter(({ name }) => name === "change");
      if (changes.length > 0) onChanges(changes.map(({ data }): Change => JSON.parse(data)));
      for (const { name, id, data } of events) {
        if (id !== null) note(id);
        if (name === "ready") {
          isReady = true;
          onReady?.();
        }
        if (name === "reset") return { kind: "reset" };
        if (name === "end") return endOf(data);
      }
    }
  } catch {
    return connection.signal.aborted && !over.aborted
      ? { kind: "hidden" }
      : { kind: "broken", isReady };
  } finally {
    stopWatching();
    over.removeEventListener("abort", end);
    connection.abort();
  }
}

function refusalOf(response: Response): Ended {
  const { status, headers } = response;
  if (status === 401)
    return { kind: "signed-out", challenge: headers.get("www-authenticate") ?? "" };
  if (status === 429 || status === 503) {
    const retryMs = Number(headers.get("retry-after") ?? 0) * 1_000;
    return { kind: "full", ms: Math.max(fullWait, Number.isFinite(retryMs) ? retryMs : 0) };
  }
  return status < 500 ? { kind: "over" } : { kind: "broken", isReady: false };
}

function endOf(data: StreamEvent["data"]): Ended {
  const { status } = JSON.parse(data) as { readonly status: number };
  return status === 401 ? { kind: "signed-out", challenge: "Bearer" } : { kind: "over" };
}

/** Calls back when the page has been hidden for `ms` milliseconds. */
function whileHidden(ms: number, onHidden: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (!isShownOnline()) timer = setTimeout(onHidden, ms);
  };
  document.addEventListener("visibilitychange", look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

function sleep(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      over.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    over.addEventListener("abort", end);
  });
}
