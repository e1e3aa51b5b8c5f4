import type { IncomingMessage, ServerResponse } from "node:http";
import { reset } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import type { Watched } from "../../resource/index.js";
import type { ResetReason } from "./events.js";

/** All readers of a process that get the same events. */
export interface Group {
  readonly key: string;
  readonly watched: readonly Watched[];
  /** The account of all its readers, where a rule allows them own records only; otherwise null. */
  readonly account: string | null;
  /** Identifies what its readers may see, in their positions. */
  readonly rights: string;
  /** The names of the resources. */
  readonly resources: readonly string[];
  /** The readers that have been sent everything that the process has read. */
  readonly live: Set<Reader>;
  /** All readers. */
  size: number;
  /** The events of ranges of the log, which returning readers have just asked for. */
  readonly kept: Map<string, Promise<RangeEvents>>;
}

/** The events that some changes cause for the readers of a group. */
export interface ChangeEvents {
  /** In order; the last one has no id yet. */
  readonly events: readonly string[];
  /** Characters of the events; beyond `maxWatchedBytes`, which are not sent together, bytes of the records in them. */
  readonly bytes: number;
  /** Why the readers have to list again instead; null where they need not. */
  readonly reset: ResetReason | null;
}

/** The events of a range of the log, and the number at its end. */
export interface RangeEvents extends ChangeEvents {
  readonly end: number;
  /** How many changes it has at most, so that it has few enough bytes. */
  readonly most: number;
}

/** A client with an open stream. */
export interface Reader {
  readonly caller: Caller;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly group: Group;
  /** The number of the last change that it was sent, or that does not concern it. */
  at: number;
  isClosed: boolean;
  /** The missed events that it is being sent, which others may share. */
  sending: RangeEvents | null;
}

/** Unsent bytes of one reader, beyond which it is disconnected: it reconnects and continues where it was. */
const maxUnsent = 256 * 1024;

/** Unsent bytes of all readers together, beyond which those with the most are disconnected. */
const maxUnsentInAll = 64 * 1024 * 1024;

/** Milliseconds for which a reader that catches up may read nothing. */
const patienceMs = 10_000;

export function unsentBytes({ response }: Reader): number {
  return response.writableLength;
}

function heldBytes(reader: Reader): number {
  return unsentBytes(reader) + (reader.sending?.bytes ?? 0);
}

/** Sends bytes, and disconnects a reader that does not read. */
export function send(reader: Reader, bytes: Buffer | string): void {
  if (reader.isClosed) return;
  reader.response.write(bytes);
  if (unsentBytes(reader) > maxUnsent) cutOff(reader);
}

/** Whether that many more bytes can be sent at once. */
export function hasRoom(reader: Reader, bytes: number): boolean {
  return unsentBytes(reader) + bytes <= maxUnsent;
}

/** Whether it has read everything. */
export function isIdle({ response }: Reader): boolean {
  return response.writableLength === 0;
}

/** Sends the last event, and ends the stream. */
export function endWith(reader: Reader, text: string): void {
  if (reader.isClosed) return;
  forget(reader);
  reader.response.end(text);
}

/** Ends the stream without an event: the reader reconnects. */
export function endQuietly(reader: Reader): void {
  if (reader.isClosed) return;
  forget(reader);
  reader.response.end();
}

export function cutOff(reader: Reader): void {
  forget(reader);
  const { response } = reader;
  if (response.socket !== null) reset(response.socket);
  response.destroy();
}

/** Nothing more is read for it, though its connection may stay open until it has read the end. */
export function forget(reader: Reader): void {
  reader.isClosed = true;
  reader.group.live.delete(reader);
}

/** Sends what it has missed no faster than it is read, some events at a time; `texts` are these events with their ids. */
export async function sendMissed(
  reader: Reader,
  missed: RangeEvents,
  texts: readonly string[],
): Promise<void> {
  reader.sending = missed;
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    await sendPiece(reader, piece);
    piece = "";
  }
  await sendPiece(reader, piece);
  reader.sending = null;
}

/** Characters. */
const pieceLength = 32 * 1024;

async function sendPiece(reader: Reader, piece: string): Promise<void> {
  if (reader.isClosed || piece === "") return;
  if (reader.response.write(piece)) return;
  if (!(await isDrained(reader.response))) cutOff(reader);
}

function isDrained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (drained: boolean) => {
      clearTimeout(late);
      response.off("drain", onDrain).off("close", onClose);
      resolve(drained);
    };
    const onDrain = () => end(true);
    const onClose = () => end(true);
    const late = setTimeout(() => end(false), patienceMs);
    response.once("drain", onDrain).once("close", onClose);
  });
}

/**
 * Disconnects the readers with the most unsent bytes until all together have few enough. Missed events that several are
 * being sent are held once.
 */
export function cutFullest(readers: Iterable<Reader>): void {
  const full = [...readers].filter((reader) => heldBytes(reader) > 0);
  let sum = full.reduce((bytes, reader) => bytes + unsentBytes(reader), 0);
  const sharing = new Map<RangeEvents, number>();
  for (const { sending } of full) {
    if (sending === null) continue;
    if (!sharing.has(sending)) sum += sending.bytes;
    sharing.set(sending, (sharing.get(sending) ?? 0) + 1);
  }
  if (sum <= maxUnsentInAll) return;
  for (const reader of full.sort((one, other) => heldBytes(other) - heldBytes(one))) {
    if (sum <= maxUnsentInAll) return;
    sum -= unsentBytes(reader);
    const { sending } = reader;
    if (sending !== null) {
      const others = (sharing.get(sending) ?? 1) - 1;
      sharing.set(sending, others);
      if (others === 0) sum -= sending.bytes;
    }
    cutOff(reader);
  }
}
