import { isUtf8 } from "node:buffer";
import { type Found, maxRecordBytes, problems } from "../read/found.js";

const [lineFeed, carriageReturn, quote] = [10, 13, 34];

/** Where in a cell a byte is. */
type State = "begin" | "plain" | "quoted" | "closed";

/**
 * Splits the bytes of a file into its records, piece by piece: a line break ends one where no quotation mark is open. What
 * it holds is bounded, however long a record is. No library reports each mistake with its row, gives the position after
 * each record for an import that is resumed, and continues after a record that is too long.
 */
export class RecordSplitter {
  readonly #separator: number;
  readonly #hasQuotes: boolean;
  /** The bytes of the record that has begun, piece by piece, and their number. */
  #pieces: Buffer[] = [];
  #kept = 0;
  #state: State = "begin";
  /** Bytes of that record that are not kept. */
  #dropped = 0;
  /** The number of the line in which it begins, and of line breaks in what was dropped. */
  #line: number;
  #breaks = 0;
  /** The place of the next byte. */
  #offset: number;

  /** `separator` is a byte; null for lines without cells. */
  constructor(separator: string | null, { line, offset }: { line: number; offset: number }) {
    this.#separator = separator?.charCodeAt(0) ?? -1;
    this.#hasQuotes = separator !== null;
    this.#line = line;
    this.#offset = offset;
  }

  push(chunk: Buffer): Found[] {
    const found: Found[] = [];
    let start = 0;
    if (this.#isBegun()) {
      const end = this.#scan(chunk, 0);
      this.#keep(end < 0 ? chunk : chunk.subarray(0, end));
      if (end >= 0) {
        this.#add(found, this.#joined(), { end: this.#offset + end + 1, isSound: false });
        start = end + 1;
      }
    }
    if (!this.#isBegun()) this.#split(found, chunk, start);
    this.#offset += chunk.length;
    return found;
  }

  /** The record at the end of the file, which has no line break after it. */
  finish(): Found[] {
    const found: Found[] = [];
    const end = this.#offset;
    if (this.#state === "quoted") {
      found.push({ line: this.#line, end, nextLine: this.#line, problem: problems.neverClosed });
    } else {
      this.#add(found, this.#joined(), { end, isSound: false });
    }
    return found;
  }

  /** Finds the records that begin in a piece, and keeps what has no end in it. */
  #split(found: Found[], bytes: Buffer, from: number): void {
    const lastBreak = bytes.lastIndexOf(lineFeed);
    const isSound = lastBreak < from || isUtf8(bytes.subarray(from, lastBreak));
    let start = from;
    let nextQuote = this.#hasQuotes ? bytes.indexOf(quote, start) : -1;
    while (start < bytes.length) {
      if (nextQuote >= 0 && nextQuote < start) nextQuote = bytes.indexOf(quote, start);
      const lineEnd = bytes.indexOf(lineFeed, start);
      const isPlain = lineEnd >= 0 && (nextQuote < 0 || nextQuote > lineEnd);
      const end = isPlain ? lineEnd : this.#scan(bytes, start);
      if (end < 0) {
        this.#keep(bytes.subarray(start));
        return;
      }
      const place = this.#offset + end + 1;
      this.#add(found, bytes.subarray(start, end), { end: place, isSound, isPlain });
      start = end + 1;
    }
  }

  #isBegun(): boolean {
    return this.#kept > 0 || this.#dropped > 0;
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
    return -1;
  }

  #add(
    found: Found[],
    bytes: Buffer,
    { end, isSound, isPlain = false }: { end: number; isSound: boolean; isPlain?: boolean },
  ): void {
    const line = this.#line;
    const inside = this.#breaks + (isPlain ? 0 : breaksIn(bytes));
    const nextLine = line + inside + 1;
    this.#line = nextLine;
    const isLong = this.#dropped > 0 || bytes.length > maxRecordBytes;
    this.#dropped = 0;
    this.#breaks = 0;
    const place = { line, end, nextLine };
    if (isLong) {
      found.push({ ...place, problem: problems.tooLong });
      return;
    }
    const own = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
    // Empty lines are skipped.
    if (own.length === 0) return;
    if (isSound || isUtf8(own)) found.push({ ...place, text: own.toString("utf8") });
    else found.push({ ...place, problem: problems.encoding });
  }

  /** Keeps bytes of the record that has begun; of one that is too long only their number. */
  #keep(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#kept += bytes.length;
    if (this.#kept <= maxRecordBytes && this.#dropped === 0) return;
    for (const piece of this.#pieces) this.#breaks += breaksIn(piece);
    this.#dropped += this.#kept;
    this.#pieces = [];
    this.#kept = 0;
  }

  /** What is kept of the record, which ends here. */
  #joined(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#pieces;
    const bytes = others.length === 0 ? first : Buffer.concat(this.#pieces, this.#kept);
    this.#pieces = [];
    this.#kept = 0;
    return bytes;
  }
}

function breaksIn(bytes: Buffer): number {
  let breaks = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) breaks += 1;
  return breaks;
}
