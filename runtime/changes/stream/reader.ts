import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../own-code/index.js";
import type { Watched } from "../../resource/index.js";
import type { Told } from "./tell.js";

/** All readers of a process that are told the same. */
export interface Group {
  readonly key: string;
  readonly watched: readonly Watched[];
  /** Of one account where a rule admits it as the owner only; null of all others. */
  readonly account: string | null;
  /** The names of the resources. */
  readonly resources: readonly string[];
  /** The readers that have everything up to where the process is. */
  readonly live: Set<Reader>;
  /** All readers. */
  size: number;
  /** What returning readers were told of a range of the log a moment ago. */
  readonly kept: Map<string, Promise<Part>>;
}

/** What is told of a range of the log, and the number at its end. */
export interface Part extends Told {
  readonly end: number;
}

/** Whoever has a stream open. */
export interface Reader {
  readonly caller: Caller;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly group: Group;
  /** The number of the last change of which it has been told, or need not be. */
  at: number;
  isClosed: boolean;
}

/** Bytes that a reader has not been sent yet, beyond which it is cut off: it comes back and goes on where it was. */
const maxUnsent = 256 * 1024;

/** Bytes that all readers together have not been sent, beyond which the fullest are cut off. */
const maxUnsentInAll = 64 * 1024 * 1024;

/** Milliseconds for which a reader that goes on where it was may read nothing. */
const patienceMs = 10_000;

export function unsentBytes({ response }: Reader): number {
  return response.writableLength;
}

/** Sends; a reader that does not read is cut off. */
export function send(reader: Reader, bytes: Buffer | string): void {
  if (reader.isClosed) return;
  reader.response.write(bytes);
  if (unsentBytes(reader) > maxUnsent) cutOff(reader);
}

/** Whether so many bytes more can be sent at once. */
export function hasRoom(reader: Reader, bytes: number): boolean {
  return unsentBytes(reader) + bytes <= maxUnsent;
}

/** Sends the last event, and ends the stream. */
export function endWith(reader: Reader, text: string): void {
  if (reader.isClosed) return;
  reader.isClosed = true;
  reader.response.end(text);
}

/** Ends the stream without an event: the reader comes back. */
export function endQuietly(reader: Reader): void {
  if (reader.isClosed) return;
  reader.isClosed = true;
  reader.response.end();
}

export function cutOff(reader: Reader): void {
  reader.isClosed = true;
  reader.response.destroy();
}

/** Sends texts no faster than they are read, some at a time. */
export async function sendInTurn(reader: Reader, texts: readonly string[]): Promise<void> {
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    await sendPiece(reader, piece);
    piece = "";
  }
  await sendPiece(reader, piece);
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

/** Cuts off the fullest readers while all together have too much unsent. */
export function cutFullest(readers: Iterable<Reader>): void {
  const full = [...readers].filter((reader) => unsentBytes(reader) > 0);
  let sum = full.reduce((bytes, reader) => bytes + unsentBytes(reader), 0);
  if (sum <= maxUnsentInAll) return;
  for (const reader of full.sort((one, other) => unsentBytes(other) - unsentBytes(one))) {
    if (sum <= maxUnsentInAll) return;
    sum -= unsentBytes(reader);
    cutOff(reader);
  }
}
