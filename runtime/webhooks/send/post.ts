import type { IncomingMessage } from "node:http";
import { type DialParts, dial } from "../../dial/index.js";

export interface PostParts extends Pick<DialParts, "allowed" | "signal" | "resolve"> {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/**
 * Sends a body in one request, and resolves with the status. Reads only the response's head and the first bytes of its
 * body.
 */
export async function post({ url, body, headers, ...parts }: PostParts): Promise<Answered> {
  const answer = await dial(new URL(url), {
    ...parts,
    method: "POST",
    body,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": "service-webhooks/1",
      accept: "*/*",
    },
  });
  await drop(answer);
  const retryAfter = answer.headers["retry-after"];
  return { status: answer.statusCode ?? 0, retryAfter };
}

/** Limits of what is read from a body, in bytes and, below it, milliseconds. Short responses can thus end normally. */
const maxBodyBytes = 4_096;
const maxBodyMs = 1_000;

/** Reads the beginning of a body, then closes the connection; never rejects. */
function drop(answer: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const end = () => answer.destroy();
    const late = setTimeout(end, maxBodyMs);
    answer.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) end();
    });
    answer.on("end", end);
    answer.on("error", () => {});
    answer.on("close", () => {
      clearTimeout(late);
      resolve();
    });
  });
}
