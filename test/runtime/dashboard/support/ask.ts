import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The parsed JSON, null where the body is none. */
  readonly body: unknown;
}

/** Asks exactly that: no header is added but `Host`, and the path is not normalised. */
export function ask(
  url: string,
  method: string,
  path: string,
  {
    headers = {},
    body,
  }: { readonly headers?: OutgoingHttpHeaders; readonly body?: string | Buffer } = {},
): Promise<Answered> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, method, path, headers, agent: false },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const bytes = Buffer.concat(parts);
          const text = bytes.toString("utf8");
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            bytes,
            text,
            body: parsed(text),
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
