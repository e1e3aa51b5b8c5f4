import { setTimeout as sleep } from "node:timers/promises";
import { type EventStream, openEvents } from "../http/event-stream.js";

/** A client that keeps a copy of a list by a stream of changes, which it resumes whenever it ends. */
export interface Copy {
  readonly records: ReadonlyMap<string, unknown>;
  /** Reasons of its resets. */
  readonly resets: readonly string[];
  /** Records whose change came after a later one of the same connection. */
  readonly disorders: readonly string[];
  /** Number of connections. */
  connections(): number;
  /** Number of comments received. */
  pulses(): number;
  end(): Promise<void>;
}

export interface CopyOptions {
  readonly url: string;
  readonly token: string;
  readonly resource: string;
  readonly where: object;
  /** Milliseconds after which it closes its connection, again and again. */
  readonly cutMs: number;
}

/** A record whose `turn` grows with each of its changes. */
interface Turned {
  readonly turn: number;
}

/** Milliseconds between a stream's end and the next attempt. */
const pauseMs = 50;

export function keepCopy({ url, token, resource, where, cutMs }: CopyOptions): Copy {
  const records = new Map<string, unknown>();
  const resets: string[] = [];
  const disorders: string[] = [];
  let position = "";
  let pulses = 0;
  let connections = 0;
  let isOver = false;
  let stream: EventStream | null = null;
  const path = `/_service/changes?watch=${encodeURIComponent(JSON.stringify({ [resource]: { where } }))}`;

  async function run(): Promise<void> {
    while (!isOver) {
      const headers: Record<string, string> = position === "" ? {} : { "last-event-id": position };
      try {
        const opened = await openEvents(url, token, path, headers);
        stream = opened;
        if (opened.status === 200) await read(opened);
        else opened.close();
      } catch {
        // The server or the network is gone: it comes back.
      }
      await sleep(pauseMs);
    }
  }

  async function read(opened: EventStream): Promise<void> {
    connections += 1;
    const cut = setTimeout(opened.close, cutMs);
    const turns = new Map<string, number>();
    try {
      for (;;) take(await opened.next(), turns);
    } finally {
      clearTimeout(cut);
      pulses += opened.text().match(/^:$/gm)?.length ?? 0;
    }
  }

  function take(
    { event, id, data }: Awaited<ReturnType<EventStream["next"]>>,
    turns: Map<string, number>,
  ): void {
    if (event === "reset") resets.push(data.reason);
    if (event === "change" && data.op === "delete") records.delete(data.id);
    else if (event === "change") {
      const { turn }: Turned = data.record;
      if (turn < (turns.get(data.id) ?? 0)) disorders.push(data.id);
      turns.set(data.id, turn);
      records.set(data.id, data.record);
    }
    if (id !== null) position = id;
  }

  const done = run();
  return {
    records,
    resets,
    disorders,
    connections: () => connections,
    pulses: () => pulses,
    async end() {
      isOver = true;
      stream?.close();
      await done;
    },
  };
}
