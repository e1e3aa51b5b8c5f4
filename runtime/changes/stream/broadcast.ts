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
  type Subscriber,
  send,
  sendMissed,
} from "./subscriber.js";
import type { Subscription } from "./subscription.js";

export interface Broadcast {
  readonly subscribers: ReadonlySet<Subscriber>;
  /** Starts the stream of a subscriber to which the response's head has been sent. */
  open(subscription: Subscription, request: IncomingMessage, response: ServerResponse): void;
  /** Sends the comment that keeps streams open. */
  pulse(): void;
  /** Ends all streams; their subscribers reconnect to another process. */
  close(): Promise<void>;
}

export interface BroadcastOptions {
  readonly services: Pick<Services, "db" | "signFiles" | "config" | "log">;
  readonly follower: LogFollower;
  /** Identifies the descriptors. */
  readonly release: string;
  readonly onSent: (changes: readonly LoggedChange[]) => void;
  /** Other resources whose changes determine who owns a record. */
  readonly deciding: readonly string[];
}

/** Maximum number of subscribers served per turn of the event loop, at 10 µs each. */
const mostInTurn = 500;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share the position of all streams
export function openBroadcast(options: BroadcastOptions): Broadcast {
  const { services, follower, release, onSent, deciding } = options;
  const { db, log, config } = services;
  const groups = new Map<string, Group>();
  const subscribers = new Set<Subscriber>();
  const beginnings = newBeginnings(services, { release, days: config.changes.days });
  const missedEvents = newMissedEvents(services);
  let state: LogState | null = null;
  let lastState: LogState | null = null;
  /** The number of the last change sent to live subscribers; null if there are none. */
  let at: number | null = null;
  let round: Promise<void> | null = null;
  let stop = () => {};
  let isClosed = false;

  let sent = 0;

  const positionAt = (n: number, { rights }: Group) =>
    writePosition({ log: state?.log ?? "", n, release, rights });

  function open(
    subscription: Subscription,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const group = groupOf(subscription);
    const subscriber: Subscriber = {
      ...{ caller: subscription.caller, request, response, group },
      ...{ at: 0, isClosed: false, sending: null },
    };
    group.size += 1;
    subscribers.add(subscriber);
    response.once("close", () => leave(subscriber));
    if (isClosed) {
      endQuietly(subscriber);
      return;
    }
    begin(subscriber, subscription.after).catch((err: unknown) => endFailed(subscriber, err));
  }

  function groupOf({ key, watched, account, rights }: Subscription): Group {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const resources = watched.map(({ table }) => table.resource);
    const group: Group = {
      ...{ key, watched, account, rights, resources },
      ...{ live: new Set<Subscriber>(), size: 0, kept: new Map() },
    };
    groups.set(key, group);
    return group;
  }

  function leave(subscriber: Subscriber): void {
    const { group } = subscriber;
    forget(subscriber);
    subscribers.delete(subscriber);
    group.size -= 1;
    if (group.size === 0) groups.delete(group.key);
    if (subscribers.size > 0) return;
    stop();
    stop = () => {};
    at = null;
    lastState = null;
  }

  async function begin(subscriber: Subscriber, after: string | null): Promise<void> {
    const beginning = await beginnings.after(after, subscriber.group);
    if ("reset" in beginning) return endWith(subscriber, resetText(beginning.reset));
    if (subscriber.isClosed) return;
    subscriber.at = beginning.at;
    if (at === null || state === null) {
      state = beginning.state;
      at = state.n;
      stop = follower.listen(onLog);
    }
    const id = positionAt(subscriber.at, subscriber.group);
    send(subscriber, readyText(after ?? id, id));
    await follow(subscriber);
  }

  /** Sends a subscriber the changes that it missed; afterwards it is live. */
  async function follow(subscriber: Subscriber, first = maxAtOnce): Promise<void> {
    const { group } = subscriber;
    let most = first;
    while (!subscriber.isClosed && at !== null) {
      if (round !== null) await round.catch(() => {});
      else if (subscriber.at >= at) {
        group.live.add(subscriber);
        return;
      } else {
        const missed = await missedEvents(group, { after: subscriber.at, upTo: at, most });
        if (missed.reset !== null) return endWith(subscriber, resetText(missed.reset));
        const texts = withPosition(missed.events, positionAt(missed.end, group));
        await sendMissed(subscriber, missed, texts);
        subscriber.at = missed.end;
        // There is room for twice as many changes.
        const factor = missed.bytes < maxWatchedBytes / 3 ? 2 : 1;
        most = Math.min(maxAtOnce, factor * missed.most);
      }
    }
  }

  async function onLog(now: LogState): Promise<void> {
    const isRestored = state !== null && now.log !== state.log;
    // A standby that lacks the last changes became the primary.
    const isSetBack = lastState !== null && now.log === lastState.log && now.n < lastState.n;
    lastState = now;
    if (isRestored || isSetBack) {
      for (const subscriber of subscribers) endWith(subscriber, resetText("unknown"));
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
      await eventsForGroups(services, { groups: listening, changes }, sendTo);
      cutFullest(subscribers);
      onSent(changes);
      at = at === null ? null : Math.max(at, end);
    }
  }

  async function sendToGroup(group: Group, turn: GroupTurn, end: number): Promise<void> {
    if ("most" in turn) {
      for (const subscriber of group.live) followAlone(subscriber, turn.most);
      return;
    }
    const { events, reset } = turn;
    if (reset !== null) {
      for (const subscriber of group.live) endWith(subscriber, resetText(reset));
      return;
    }
    const bytes = Buffer.from(withPosition(events, positionAt(end, group)).join(""));
    for (const subscriber of group.live) {
      if (bytes.length > 0 && subscriber.at < end) {
        if (!hasRoom(subscriber, bytes.length) && isIdle(subscriber)) {
          // The client reads, but the events exceed what may be buffered for it.
          followAlone(subscriber);
          continue;
        }
        send(subscriber, bytes);
        sent += 1;
      }
      subscriber.at = Math.max(subscriber.at, end);
      // No subscriber becomes live during a round, so none is skipped.
      if (sent >= mostInTurn) {
        sent = 0;
        await nextTurn();
      }
    }
  }

  /** Sends a live subscriber the events at its own pace after this round. */
  function followAlone(subscriber: Subscriber, most = maxAtOnce): void {
    subscriber.group.live.delete(subscriber);
    follow(subscriber, most).catch((err: unknown) => endFailed(subscriber, err));
  }

  /**
   * Ends the stream after an error. The subscriber reconnects; its request is refused if the database is still
   * unreachable.
   */
  function endFailed(subscriber: Subscriber, err: unknown): void {
    log.warn({ err }, "a stream of changes cannot continue");
    endQuietly(subscriber);
  }

  return {
    subscribers,
    open,
    pulse() {
      for (const subscriber of subscribers) send(subscriber, pulse);
    },
    async close() {
      isClosed = true;
      for (const subscriber of subscribers) endQuietly(subscriber);
      stop();
      await round?.catch(() => {});
    },
  };
}
