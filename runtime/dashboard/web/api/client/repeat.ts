import { NetworkError } from "./errors.js";
import { rest } from "./rest.js";

/** Milliseconds before the second and the third attempt of a read. */
const pauses = [250, 1_000];

/** The longest `Retry-After`, in seconds, that is awaited without involving the user. */
const longestWait = 10;

/**
 * Repeats a read if there was no response, or only a proxy's. Never repeats a write: it may have been applied before
 * its response was lost.
 */
export async function repeated(
  read: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (const pause of pauses) {
    const wait = await read().then(
      (response) => waitAfter(response, pause) ?? response,
      (error: unknown) => {
        if (!(error instanceof NetworkError) || error.isLate) throw error;
        return pause;
      },
    );
    if (typeof wait !== "number") return wait;
    await rest(wait, signal);
  }
  return read();
}

/** Returns the milliseconds to wait before the read is repeated; null if the response is final. */
function waitAfter({ status, headers }: Response, pause: number): number | null {
  if (status !== 502 && status !== 503 && status !== 504) return null;
  const seconds = Number(headers.get("retry-after") ?? 0);
  if (!(seconds <= longestWait)) return null;
  return Math.max(pause, seconds * 1_000);
}
