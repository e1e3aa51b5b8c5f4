import { isUtf8 } from "node:buffer";
import { type Found, maxRecordBytes, problems } from "../read/found.js";

const [lineFeed, carriageReturn, quote] = [10, 13, 34];

/** Where in a cell a byte is. */
type State = "begin" | "plain" | "quoted" | "closed";

/**
 * Splits the bytes of a file into its records, piece by piece: a line break ends one where no quotation mark is open. What
 * it holds is bounded, however long a record is. No library tells each mistake with its row, keeps the place behind each
 * record for an import that is resumed, and goes on behind a record that is too long.
 */
export class RecordSplitter {
  readonly #separator: number;
  readonly #hasQuotes: boolean;
  /** The bytes of the record that has begun, and how many of them are scanned. */
  #rest: Buffer = Buffer.alloc(0);
  #scanned = 0;
  #state: State = "begin";
  /** Bytes of that record that are not kept. */
  #dropped = 0;
  /** The number of the line in which it begins, and of line breaks in what was dropped. */
  #line: number;
  #breaks = 0;
  /** The place of the first byte that is kept. */
  #offset: number;

  /** `separator` is a byte; null for lines without cells. */
  constructor(separator: string | null, { line, offset }: { line: number; offset: number }) {
    this.#separator = separator?.charCodeAt(0) ?? -1;
    this.#hasQuotes = separator !== null;
    this.#line = line;
    this.#offset = offset;
  }

  push(chunk: Buffer): Found[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const lastBreak = bytes.lastIndexOf(lineFeed);
    const isSound = lastBreak < 0 || isUtf8(bytes.subarray(0, lastBreak));
    const found: Found[] = [];
    let start = 0;
    let nextQuote = this.#hasQuotes ? bytes.indexOf(quote) : -1;
    for (;;) {
      const isBegun = this.#scanned > start || this.#dropped > 0 || this.#state !== "begin";
      if (!isBegun && nextQuote >= 0 && nextQuote < start) nextQuote = bytes.indexOf(quote, start);
      const lineEnd = isBegun ? -1 : bytes.indexOf(lineFeed, start);
      const isPlain = lineEnd >= 0 && (nextQuote < 0 || nextQuote > lineEnd);
      const end = isPlain ? lineEnd : this.#scan(bytes, Math.max(start, this.#scanned));
      if (end < 0) break;
      this.#add(found, bytes.subarray(start, end), {
        end: this.#offset + end + 1,
        isSound,
        isPlain,
      });
      start = end + 1;
      this.#scanned = start;
    }
    this.#keep(bytes, start);
    return found;
  }

  /** The record at the end of the file, which has no line break behind it. */
  finish(): Found[] {
    const found: Found[] = [];
    const end = this.#offset + this.#rest.length;
    if (this.#state === "quoted") {
      found.push({ line: this.#line, end, nextLine: this.#line, problem: problems.neverClosed });
    } else {
      this.#add(found, this.#rest, { end, isSound: false, isPlain: false });
    }
    this.#rest = Buffer.alloc(0);
    return found;
  }

  /** Scans up to the line break that ends the record, and returns its place; -1 where it does not end here. */
  #scan(bytes: Buffer, from: number): number {
    let state = this.#state;
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (state === "quoted") {
        const next = bytes.indexOf(quote, at);
        if (next < 0) break;
        at = next;
        state = "closed";
      } else if (byte === lineFeed) {
        this.#state = "begin";
        return at;
      } else if (byte === this.#separator) {
        state = "begin";
      } else if (byte === quote && this.#hasQuotes && state !== "plain") {
        state = "quoted";
      } else if (!(byte === carriageReturn && state === "closed")) {
        state = "plain";
      }
    }
    this.#state = state;
    this.#scanned = bytes.length;
    return -1;
  }

  #add(
    found: Found[],
    bytes: Buffer,
    { end, isSound, isPlain }: { end: number; isSound: boolean; isPlain: boolean },
  ): void {
    const line = this.#line;
    const inside = this.#breaks + (isPlain ? 0 : breaksIn(bytes));
    const nextLine = line + inside + 1;
    this.#line = nextLine;
    const isLong = this.#dropped + bytes.length > maxRecordBytes;
    this.#dropped = 0;
    this.#breaks = 0;
    const place = { line, end, nextLine };
    if (isLong) {
      found.push({ ...place, problem: problems.tooLong });
      return;
    }
    const own = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
    // Empty lines are passed over.
    if (own.length === 0) return;
    if (isSound || isUtf8(own)) found.push({ ...place, text: own.toString("utf8") });
    else found.push({ ...place, problem: problems.encoding });
  }

  /** Keeps the bytes of the record that has begun; of one that is too long only their number. */
  #keep(bytes: Buffer, start: number): void {
    const rest = bytes.subarray(start);
    this.#offset += start;
    if (this.#dropped === 0 && rest.length <= maxRecordBytes) {
      this.#rest = rest;
      this.#scanned = Math.max(0, this.#scanned - start);
      return;
    }
    this.#dropped += rest.length;
    this.#breaks += breaksIn(rest);
    this.#offset += rest.length;
    this.#rest = Buffer.alloc(0);
    this.#scanned = 0;
  }
}

function breaksIn(bytes: Buffer): number {
  let breaks = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) breaks += 1;
  return breaks;
}
