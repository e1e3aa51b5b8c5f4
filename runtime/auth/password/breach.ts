import { createHash } from "node:crypto";
import pLimit from "p-limit";

/** From the moment that somebody wants to know, the wait for a turn included. */
const timeoutMilliseconds = 2000;

/** Bytes, decompressed. A range with its padding has about 40 kB. */
const longestAnswer = 1_000_000;

// Anybody may register with any password; the list is not theirs to flood, nor are our connections. Who
// waits in vain is answered as if the list could not be reached, so that nobody waits for long.
const inTurn = pLimit(16);

/**
 * Whether a password is on the public breach list. Only the first five characters of its SHA-1 leave the
 * server, and the answer is padded so that its length tells nothing. A list that cannot be reached
 * in time, or answers at too great length, has nothing to say: false.
 */
export async function isBreached(breachUrl: string, password: string): Promise<boolean> {
  const digest = createHash("sha1").update(password).digest("hex").toUpperCase();
  const address = `${breachUrl}/range/${digest.slice(0, 5)}`;
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const rows = await inTurn(() => (signal.aborted ? "" : askRange(address, signal)));
  return rows.split("\n").some((row) => {
    const [suffix = "", count = ""] = row.trim().split(":");
    // Padding rows have the count 0.
    return suffix.toUpperCase() === digest.slice(5) && Number(count) > 0;
  });
}

async function askRange(address: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(address, { headers: { "Add-Padding": "true" }, signal });
    if (response.ok) return (await bounded(response)) ?? "";
    await response.body?.cancel();
    return "";
  } catch {
    return "";
  }
}

/** The answer's text; null where it is too long, and the rest is not read. */
async function bounded({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the stream, and with it the connection.
    if (length > longestAnswer) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
