import { createHash } from "node:crypto";
import pLimit from "p-limit";

/** Includes the time in the queue. */
const timeoutMilliseconds = 2000;

/** Maximum size in bytes after decompression. A range with its padding has about 40 kB. */
const maxAnswerBytes = 1_000_000;

// Any client can register with any password, and must not be able to flood the list or use up the server's connections.
// A password that waits too long is treated as if the list were unavailable.
const limitConcurrency = pLimit(16);

/**
 * Whether a password is on the public breach list. Only the first five characters of its SHA-1 leave the server, and
 * the response is padded so that its length reveals nothing. False if the list is unavailable or slow, or the response
 * is too long.
 */
export async function isBreached(breachUrl: string, password: string): Promise<boolean> {
  const digest = createHash("sha1").update(password).digest("hex").toUpperCase();
  const address = `${breachUrl}/range/${digest.slice(0, 5)}`;
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const rows = await limitConcurrency(() => (signal.aborted ? "" : fetchRange(address, signal)));
  return rows.split("\n").some((row) => {
    const [suffix = "", count = ""] = row.trim().split(":");
    // Padding rows have the count 0.
    return suffix.toUpperCase() === digest.slice(5) && Number(count) > 0;
  });
}

async function fetchRange(address: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(address, { headers: { "Add-Padding": "true" }, signal });
    if (response.ok) return (await readBounded(response)) ?? "";
    await response.body?.cancel();
    return "";
  } catch {
    return "";
  }
}

/** Returns the text of a response; null if it is too long, in which case the rest is not read. */
async function readBounded({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the stream, and with it the connection.
    if (length > maxAnswerBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
