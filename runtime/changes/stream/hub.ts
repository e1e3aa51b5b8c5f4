import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Services } from "../../own-code/index.js";
import { maxWatchedBytes } from "../../resource/index.js";
import type { LogFollower } from "../log/follow.js";
import { writePosition } from "../log/position.js";
import { type LoggedChange, type LogState, readChanges } from "../log/read.js";
import { newBeginnings } from "./begin.js";
import { pulse, readyText, resetText, withPosition } from "./events.js";
import { eventsForGroups, type GroupTurn, maxAtOnce, newMissedEvents } from "./group-events.js";
import {
  cutFullest,
  endQuietly,
  endWith,
  forget,
  type Group,
  hasRoom,
  isIdle,
  type Reader,
  send,
  sendMissed,
} from "./reader.js";
import type { Asked } from "./watch.js";

/** The streams of a process. */
export interface Hub {
  readonly readers: ReadonlySet<Reader>;
  /** Starts the stream of a reader, to whom the response's head has been sent. */
  open(asked: Asked, request: IncomingMessage, response: ServerResponse): void;
  /** Sends the comment that keeps streams open. */
  pulse(): void;
  /** Ends all streams: their readers reconnect to another process. */
  close(): Promise<void>;
}

export interface HubOptions {
  readonly services: Pick<Services, "db" | "signFiles" | "config" | "log">;
  readonly follower: LogFollower;
  /** What identifies the descriptors. */
  readonly release: string;
  /** Called with the changes that were sent. */
  readonly onSent: (changes: readonly LoggedChange[]) => void;
  /** The other resources whose changes decide who owns a record. */
  readonly deciding: readonly string[];
}

/** Readers that are sent something before others have their turn: 10 µs each. */
const mostInTurn = 500;

export function openHub(options: HubOptions): Hub {
  const { services, follower, release, onSent, deciding } = options;
  const { db, log, config } = services;
  const groups = new Map<string, Group>();
  const readers = new Set<Reader>();
  const beginnings = newBeginnings(services, { release, days: config.changes.days });
  const missedEvents = newMissedEvents(services);
  let state: LogState | null = null;
  /** What the follower has told last. */
  let told: LogState | null = null;
  /** The number of the last change that live readers were sent; null while nobody listens. */
  let at: number | null = null;
  let round: Promise<void> | null = null;
  let stop = () => {};
  let isClosed = false;

  /** How many readers have been sent something in this turn of the event loop. */
  let sent = 0;

  const positionAt = (n: number, { rights }: Group) =>
    writePosition({ log: state?.log ?? "", n, release, rights });

  function open(asked: Asked, request: IncomingMessage, response: ServerResponse): void {
    const group = groupOf(asked);
    const reader: Reader = {
      ...{ caller: asked.caller, request, response, group },
      ...{ at: 0, isClosed: false, sending: null },
    };
    group.size += 1;
    readers.add(reader);
    response.once("close", () => leave(reader));
    if (isClosed) {
      endQuietly(reader);
      return;
    }
    begin(reader, asked.after).catch((err: unknown) => endFailed(reader, err));
  }

  function groupOf({ key, watched, account, rights }: Asked): Group {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const resources = watched.map(({ table }) => table.resource);
    const group: Group = {
      ...{ key, watched, account, rights, resources },
      ...{ live: new Set<Reader>(), size: 0, kept: new Map() },
    };
    groups.set(key, group);
    return group;
  }

  function leave(reader: Reader): void {
    const { group } = reader;
    forget(reader);
    readers.delete(reader);
    group.size -= 1;
    if (group.size === 0) groups.delete(group.key);
    if (readers.size > 0) return;
    stop();
    stop = () => {};
    at = null;
    told = null;
  }

  async function begin(reader: Reader, after: string | null): Promise<void> {
    const beginning = await beginnings.after(after, reader.group);
    if ("reset" in beginning) return endWith(reader, resetText(beginning.reset));
    if (reader.isClosed) return;
    reader.at = beginning.at;
    if (at === null || state === null) {
      state = beginning.state;
      at = state.n;
      stop = follower.listen(onLog);
    }
    const id = positionAt(reader.at, reader.group);
    send(reader, readyText(after ?? id, id));
    await follow(reader);
  }

  /** Sends a reader what it has missed; from then on it is live. */
  async function follow(reader: Reader, first = maxAtOnce): Promise<void> {
    const { group } = reader;
    let most = first;
    while (!reader.isClosed && at !== null) {
      if (round !== null) await round.catch(() => {});
      else if (reader.at >= at) {
        group.live.add(reader);
        return;
      } else {
        const missed = await missedEvents(group, { after: reader.at, upTo: at, most });
        if (missed.reset !== null) return endWith(reader, resetText(missed.reset));
        const texts = withPosition(missed.events, positionAt(missed.end, group));
        await sendMissed(reader, missed, texts);
        reader.at = missed.end;
        // Where twice as many may be few enough.
        const factor = missed.bytes < maxWatchedBytes / 3 ? 2 : 1;
        most = Math.min(maxAtOnce, factor * missed.most);
      }
    }
  }

  async function onLog(now: LogState): Promise<void> {
    const isRestored = state !== null && now.log !== state.log;
    // A standby that lacks the last changes has become the primary.
    const isSetBack = told !== null && now.log === told.log && now.n < told.n;
    told = now;
    if (isRestored || isSetBack) {
      for (const reader of readers) endWith(reader, resetText("unknown"));
      state = now;
      at = now.n;
      return;
    }
    state = now;
    round = sendNew(now.n);
    try {
      await round;
    } finally {
      round = null;
    }
  }

  async function sendNew(upTo: number): Promise<void> {
    while (at !== null && at < upTo) {
      const listening = [...groups.values()].filter(({ live }) => live.size > 0);
      if (listening.length === 0) {
        at = upTo;
        return;
      }
      const resources = [...new Set([...listening.flatMap((one) => one.resources), ...deciding])];
      const changes = await readChanges(db, { after: at, upTo, resources, most: maxAtOnce });
      const end = changes.length < maxAtOnce ? upTo : (changes.at(-1)?.n ?? upTo);
      const sendTo = (group: Group, turn: GroupTurn) => sendToGroup(group, turn, end);
      await eventsForGroups(services, listening, changes, sendTo);
      cutFullest(readers);
      onSent(changes);
      at = at === null ? null : Math.max(at, end);
    }
  }

  async function sendToGroup(group: Group, turn: GroupTurn, end: number): Promise<void> {
    if ("most" in turn) {
      for (const reader of group.live) followAlone(reader, turn.most);
      return;
    }
    const { events, reset } = turn;
    if (reset !== null) {
      for (const reader of group.live) endWith(reader, resetText(reset));
      return;
    }
    const bytes = Buffer.from(withPosition(events, positionAt(end, group)).join(""));
    for (const reader of group.live) {
      if (bytes.length > 0 && reader.at < end) {
        if (!hasRoom(reader, bytes.length) && isIdle(reader)) {
          // It reads, but this is more than may wait for it.
          followAlone(reader);
          continue;
        }
        send(reader, bytes);
        sent += 1;
      }
      reader.at = Math.max(reader.at, end);
      // Nobody becomes live during a round, so that nobody is left out.
      if (sent >= mostInTurn) {
        sent = 0;
        await nextTurn();
      }
    }
  }

  /** Sends a live reader the events at its own pace, after this round. */
  function followAlone(reader: Reader, most = maxAtOnce): void {
    reader.group.live.delete(reader);
    follow(reader, most).catch((err: unknown) => endFailed(reader, err));
  }

  /** The reader reconnects: then the database can be reached again, or the request is refused. */
  function endFailed(reader: Reader, err: unknown): void {
    log.warn({ err }, "a stream of changes cannot continue");
    endQuietly(reader);
  }

  return {
    readers,
    open,
    pulse() {
      for (const reader of readers) send(reader, pulse);
    },
    async close() {
      isClosed = true;
      for (const reader of readers) endQuietly(reader);
      stop();
      await round?.catch(() => {});
    },
  };
}
