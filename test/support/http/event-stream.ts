import { type IncomingMessage, request } from "node:http";

/** An event of a stream, its data parsed. */
export interface StreamEvent {
  readonly event: string;
  readonly id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: what tests expect of it says what it is.
  readonly data: any;
}

/** A stream of events that a test reads. */
export interface EventStream {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** Everything received so far. */
  text(): string;
  /** Events that `next` has not returned. */
  readonly waiting: readonly StreamEvent[];
  /** The next event; throws when the stream ends before it. */
  next(): Promise<StreamEvent>;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  /** Stops reading what is sent, until `resume`. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Opens a stream at a path below `/api`. */
export function openEvents(
  url: string,
  token: string | null,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const { hostname, port } = new URL(url);
  const waiting: StreamEvent[] = [];
  const readers: { resolve(event: StreamEvent): void; reject(error: Error): void }[] = [];
  let text = "";
  let rest = "";
  let isOver = false;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      hostname,
      port,
      path: `/api${path}`,
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    });
    outgoing.once("error", reject);
    outgoing.once("response", (response) => {
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
        rest += piece;
        const blocks = rest.split("\n\n");
        rest = blocks.pop() ?? "";
        for (const event of blocks.flatMap((block) => eventOf(block) ?? [])) {
          const reader = readers.shift();
          if (reader === undefined) waiting.push(event);
          else reader.resolve(event);
        }
      });
      response.on("error", () => {});
      const ended = new Promise<void>((end) => {
        response.once("close", () => {
          isOver = true;
          for (const reader of readers.splice(0)) reader.reject(new Error("The stream has ended"));
          end();
        });
      });
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        waiting,
        next() {
          const [event] = waiting.splice(0, 1);
          if (event !== undefined) return Promise.resolve(event);
          if (isOver) return Promise.reject(new Error("The stream has ended"));
          return new Promise((found, failed) => {
            readers.push({ resolve: found, reject: failed });
          });
        },
        ended,
        pause: () => response.pause(),
        resume: () => response.resume(),
        close: () => outgoing.destroy(),
      });
    });
    outgoing.end();
  });
}

/** Null for a comment. */
function eventOf(block: string): StreamEvent | null {
  const fields = new Map(
    block.split("\n").map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const event = fields.get("event");
  if (event === undefined) return null;
  return { event, id: fields.get("id") ?? null, data: JSON.parse(fields.get("data") ?? "null") };
}
