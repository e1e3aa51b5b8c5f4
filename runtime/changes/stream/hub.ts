import type { IncomingMessage, ServerResponse } from "node:http";
import type { Services } from "../../own-code/index.js";
import { followLog, type LogFollower } from "../log/follow.js";
import { writePosition } from "../log/position.js";
import { type LoggedChange, type LogState, readChanges } from "../log/read.js";
import { beginAfter } from "./begin.js";
import { pulse, readyText, resetText } from "./events.js";
import {
  cutFullest,
  endQuietly,
  endWith,
  type Group,
  hasRoom,
  type Reader,
  send,
  sendInTurn,
} from "./reader.js";
import type { Told } from "./tell.js";
import { maxAtOnce, missed, tellAll } from "./told.js";
import type { Asked } from "./watch.js";

/** The streams of a process. */
export interface Hub {
  readonly readers: ReadonlySet<Reader>;
  /** Begins to tell a reader, whose head has been sent. */
  open(asked: Asked, request: IncomingMessage, response: ServerResponse): void;
  /** Sends what keeps streams open, and cuts off who does not read. */
  pulse(): void;
  /** To be called after a write of this process. */
  wake(): void;
  /** Ends all streams: their readers come back elsewhere. */
  close(): Promise<void>;
}

export interface HubOptions {
  readonly services: Pick<Services, "db" | "signFiles" | "config" | "log">;
  /** What identifies the descriptors. */
  readonly release: string;
  /** Told how long each change took until it was sent. */
  readonly onSent: (changes: readonly LoggedChange[]) => void;
  /** The other tables whose changes move rights. */
  readonly deciding: readonly string[];
}

export function openHub(options: HubOptions): Hub {
  const { services, release, onSent, deciding } = options;
  const { db, log, config } = services;
  const groups = new Map<string, Group>();
  const readers = new Set<Reader>();
  const follower: LogFollower = followLog({
    db,
    onError: (err) => log.warn({ err }, "changes cannot be read"),
  });
  let state: LogState | null = null;
  /** The number up to which live readers have been told; null while nobody listens. */
  let at: number | null = null;
  let round: Promise<void> | null = null;
  let stop = () => {};
  let isClosed = false;

  const positionAt = (n: number) => writePosition({ log: state?.log ?? "", n, release });

  function open(asked: Asked, request: IncomingMessage, response: ServerResponse): void {
    const group = groupOf(asked);
    const reader: Reader = {
      ...{ caller: asked.caller, request, response, group },
      ...{ at: 0, isClosed: false },
    };
    group.size += 1;
    readers.add(reader);
    response.once("close", () => leave(reader));
    if (isClosed) {
      endQuietly(reader);
      return;
    }
    begin(reader, asked.after).catch((err: unknown) => {
      // It comes back, and finds the database again or is told that there is none.
      log.warn({ err }, "a stream of changes cannot begin");
      endQuietly(reader);
    });
  }

  function groupOf({ key, watched, account }: Asked): Group {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const resources = watched.map(({ table }) => table.resource);
    const group: Group = {
      ...{ key, watched, account, resources },
      ...{ live: new Set<Reader>(), size: 0, kept: new Map() },
    };
    groups.set(key, group);
    return group;
  }

  function leave(reader: Reader): void {
    const { group } = reader;
    reader.isClosed = true;
    readers.delete(reader);
    group.live.delete(reader);
    group.size -= 1;
    if (group.size === 0) groups.delete(group.key);
    if (readers.size > 0) return;
    stop();
    stop = () => {};
    at = null;
  }

  async function begin(reader: Reader, after: string | null): Promise<void> {
    const { resources } = reader.group;
    const { days } = config.changes;
    const beginning = await beginAfter(db, { resources, after, release, days });
    if ("reset" in beginning) return endWith(reader, resetText(beginning.reset));
    if (reader.isClosed) return;
    reader.at = beginning.at;
    if (at === null || state === null) {
      state = beginning.state;
      at = state.n;
      stop = follower.listen(onLog);
    }
    send(reader, readyText(positionAt(reader.at)));
    await follow(reader);
  }

  /** Tells a reader what it has missed, and from then on what happens. */
  async function follow(reader: Reader): Promise<void> {
    while (!reader.isClosed && at !== null) {
      if (round !== null) await round.catch(() => {});
      else if (reader.at >= at) {
        reader.group.live.add(reader);
        return;
      } else {
        const part = await missed(services, reader.group, { after: reader.at, upTo: at });
        if (part.reset !== null) return endWith(reader, resetText(part.reset));
        await sendInTurn(reader, withPosition(part.events, positionAt(part.end)));
        reader.at = part.end;
      }
    }
  }

  async function onLog(now: LogState): Promise<void> {
    if (state !== null && now.log !== state.log) {
      // Somebody has restored a backup.
      for (const reader of readers) endWith(reader, resetText("unknown"));
      state = now;
      at = now.n;
      return;
    }
    state = now;
    round = tellLive(now.n);
    try {
      await round;
    } finally {
      round = null;
    }
  }

  async function tellLive(upTo: number): Promise<void> {
    while (at !== null && at < upTo) {
      const listening = [...groups.values()].filter(({ live }) => live.size > 0);
      if (listening.length === 0) {
        at = upTo;
        return;
      }
      const resources = [...new Set([...listening.flatMap((one) => one.resources), ...deciding])];
      const changes = await readChanges(db, { after: at, upTo, resources, most: maxAtOnce });
      const end = changes.length < maxAtOnce ? upTo : (changes.at(-1)?.n ?? upTo);
      const told = await tellAll(services, listening, changes);
      for (const [group, part] of told) tellGroup(group, part, end);
      onSent(changes);
      at = at === null ? null : end;
    }
  }

  function tellGroup(group: Group, { events, reset }: Told, end: number): void {
    if (reset !== null) {
      for (const reader of group.live) endWith(reader, resetText(reset));
      return;
    }
    const bytes = Buffer.from(withPosition(events, positionAt(end)).join(""));
    for (const reader of group.live) {
      if (bytes.length > 0 && reader.at < end) {
        if (!hasRoom(reader, bytes.length) && hasRoom(reader, 0) && isIdle(reader)) {
          // It reads, but this is more than may wait for it: it is told at its own pace.
          group.live.delete(reader);
          void follow(reader).catch(() => endQuietly(reader));
          continue;
        }
        send(reader, bytes);
      }
      reader.at = Math.max(reader.at, end);
    }
  }

  return {
    readers,
    open,
    pulse() {
      for (const reader of readers) send(reader, pulse);
      cutFullest(readers);
    },
    wake: follower.wake,
    async close() {
      isClosed = true;
      for (const reader of readers) endQuietly(reader);
      await follower.close();
    },
  };
}

function isIdle({ response }: Reader): boolean {
  return response.writableLength === 0;
}

/** The last of the events has the position after all of them. */
function withPosition(events: readonly string[], position: string): readonly string[] {
  const last = events.at(-1);
  if (last === undefined) return events;
  return [...events.slice(0, -1), `${last.slice(0, -1)}id: ${position}\n\n`];
}
