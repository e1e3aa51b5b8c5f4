import type { IncomingMessage, ServerResponse } from "node:http";
import { reset } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import type { Watched } from "../../resource/index.js";
import type { ResetReason } from "./events.js";

/** All subscribers of a process that get the same events. */
export interface Group {
  readonly key: string;
  readonly watched: readonly Watched[];
  /** The account of all the group's subscribers if a rule allows only their own records; otherwise null. */
  readonly account: string | null;
  /** Identifies the rights of the group's subscribers, in their positions. */
  readonly rights: string;
  readonly resources: readonly string[];
  /** The subscribers to which everything that the process has read was sent. */
  readonly live: Set<Subscriber>;
  /** The number of all subscribers, live or not. */
  size: number;
  /** Cached events of ranges of the log that returning subscribers have just requested. */
  readonly kept: Map<string, Promise<RangeEvents>>;
}

/** The events that some changes cause for the subscribers of a group. */
export interface ChangeEvents {
  /** In order; the last event has no id yet. */
  readonly events: readonly string[];
  /**
   * Number of characters of the events. Beyond `maxWatchedBytes` the events are not sent at once, and this is the
   * number of bytes of their records.
   */
  readonly bytes: number;
  /** The reason why the subscribers must read their lists again instead; null if they need not. */
  readonly reset: ResetReason | null;
}

/** The events of a range of the log, and the number at its end. */
export interface RangeEvents extends ChangeEvents {
  readonly end: number;
  /** Maximum number of changes to read at a time, so that the bytes of their events stay within the limit. */
  readonly most: number;
}

export interface Subscriber {
  readonly caller: Caller;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly group: Group;
  /** The number of the last change that was sent to the subscriber, or that does not concern it. */
  at: number;
  isClosed: boolean;
  /** The missed events that are being sent to the subscriber, which others may share. */
  sending: RangeEvents | null;
}

/** Number of unsent bytes beyond which a subscriber is disconnected; it reconnects and continues. */
const maxUnsent = 256 * 1024;

/** Number of unsent bytes of all subscribers beyond which those with the most are disconnected. */
const maxUnsentInAll = 64 * 1024 * 1024;

/** Milliseconds after which a subscriber that catches up but does not read is disconnected. */
const patienceMs = 10_000;

export function unsentBytes({ response }: Subscriber): number {
  return response.writableLength;
}

function heldBytes(subscriber: Subscriber): number {
  return unsentBytes(subscriber) + (subscriber.sending?.bytes ?? 0);
}

/** Sends bytes; disconnects a subscriber that does not read. */
export function send(subscriber: Subscriber, bytes: Buffer | string): void {
  if (subscriber.isClosed) return;
  subscriber.response.write(bytes);
  if (unsentBytes(subscriber) > maxUnsent) cutOff(subscriber);
}

/** Whether this number of bytes can be sent at once. */
export function hasRoom(subscriber: Subscriber, bytes: number): boolean {
  return unsentBytes(subscriber) + bytes <= maxUnsent;
}

/** Whether the subscriber has no unsent bytes. */
export function isIdle({ response }: Subscriber): boolean {
  return response.writableLength === 0;
}

export function endWith(subscriber: Subscriber, text: string): void {
  if (subscriber.isClosed) return;
  forget(subscriber);
  subscriber.response.end(text);
}

/** Ends the stream without an event: the subscriber reconnects. */
export function endQuietly(subscriber: Subscriber): void {
  if (subscriber.isClosed) return;
  forget(subscriber);
  subscriber.response.end();
}

export function cutOff(subscriber: Subscriber): void {
  forget(subscriber);
  const { response } = subscriber;
  if (response.socket !== null) reset(response.socket);
  response.destroy();
}

/** Stops sending events to a subscriber; its connection may stay open until the client has read the end. */
export function forget(subscriber: Subscriber): void {
  subscriber.isClosed = true;
  subscriber.group.live.delete(subscriber);
}

/** Sends missed events no faster than the client reads them, a few at a time; `texts` are the events with their ids. */
export async function sendMissed(
  subscriber: Subscriber,
  missed: RangeEvents,
  texts: readonly string[],
): Promise<void> {
  subscriber.sending = missed;
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    await sendPiece(subscriber, piece);
    piece = "";
  }
  await sendPiece(subscriber, piece);
  subscriber.sending = null;
}

/** Maximum number of characters written at a time. */
const pieceLength = 32 * 1024;

async function sendPiece(subscriber: Subscriber, piece: string): Promise<void> {
  if (subscriber.isClosed || piece === "") return;
  if (subscriber.response.write(piece)) return;
  if (!(await isDrained(subscriber.response))) cutOff(subscriber);
}

function isDrained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(late);
      response.off("drain", onDrain).off("close", onDrain);
    };
    const onDrain = () => {
      stop();
      resolve(true);
    };
    const late = setTimeout(() => {
      stop();
      resolve(false);
    }, patienceMs);
    response.once("drain", onDrain).once("close", onDrain);
  });
}

/**
 * Disconnects the subscribers with the most unsent bytes until the total is within the limit. Missed events that
 * several subscribers share count once.
 */
export function cutFullest(subscribers: Iterable<Subscriber>): void {
  const full = [...subscribers].filter((subscriber) => heldBytes(subscriber) > 0);
  let sum = full.reduce((bytes, subscriber) => bytes + unsentBytes(subscriber), 0);
  const sharing = new Map<RangeEvents, number>();
  for (const { sending } of full) {
    if (sending === null) continue;
    if (!sharing.has(sending)) sum += sending.bytes;
    sharing.set(sending, (sharing.get(sending) ?? 0) + 1);
  }
  if (sum <= maxUnsentInAll) return;
  for (const subscriber of full.sort((one, other) => heldBytes(other) - heldBytes(one))) {
    if (sum <= maxUnsentInAll) return;
    sum -= unsentBytes(subscriber);
    const { sending } = subscriber;
    if (sending !== null) {
      const others = (sharing.get(sending) ?? 1) - 1;
      sharing.set(sending, others);
      if (others === 0) sum -= sending.bytes;
    }
    cutOff(subscriber);
  }
}
