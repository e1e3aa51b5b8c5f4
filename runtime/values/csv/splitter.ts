import { joined } from "./encoding.js";
import { type Found, maxRecordBytes, problems } from "./found.js";

const [lineFeed, carriageReturn, quote] = [10, 13, 34] as const;

/** The byte that ends a line. A carriage return before a line feed belongs to the line ending. */
export type LineEnd = typeof lineFeed | typeof carriageReturn;

/** Decodes bytes; Node and browsers have different fast functions for this. */
export interface ByteText {
  /** Returns whether the bytes are valid UTF-8. */
  isSound(bytes: Uint8Array): boolean;
  /** Decodes valid UTF-8. */
  text(bytes: Uint8Array): string;
  /** The name of the file's encoding in messages. */
  readonly encoding: string;
}

export interface SplitterOptions {
  /** The separator's byte; null for lines without cells. */
  readonly separator: string | null;
  readonly lineEnd: LineEnd;
  readonly byteText: ByteText;
  /** The line number of the first byte. */
  readonly line: number;
  readonly offset: number;
}

/** The state within a cell. */
type State = "begin" | "plain" | "quoted" | "closed";

/**
 * Splits the bytes of a file, received in chunks, into records, which end at a line break outside quotation marks. Its
 * memory is limited for records of any length. No library does all of this: report each mistake with its row, give the
 * position after each record to resume an import, and continue after an overlong record.
 */
export class RecordSplitter {
  readonly #separator: number;
  readonly #hasQuotes: boolean;
  readonly #lineEnd: LineEnd;
  readonly #byteText: ByteText;
  /** The bytes of the current record, in chunks; below it, their number. */
  #pieces: Uint8Array[] = [];
  #kept = 0;
  #state: State = "begin";
  /** Number of bytes of the current record that were dropped. */
  #dropped = 0;
  /** The line at which the record begins; below it, the number of line breaks in the dropped bytes. */
  #line: number;
  #breaks = 0;
  /** The offset of the next byte. */
  #offset: number;

  constructor({ separator, lineEnd, byteText, line, offset }: SplitterOptions) {
    this.#separator = separator?.charCodeAt(0) ?? -1;
    this.#hasQuotes = separator !== null;
    this.#lineEnd = lineEnd;
    this.#byteText = byteText;
    this.#line = line;
    this.#offset = offset;
  }

  push(chunk: Uint8Array): Found[] {
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

  /** Returns the last record of the file, if no line break ends it. */
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

  /** Splits a chunk, and stores an incomplete record. */
  #split(found: Found[], bytes: Uint8Array, from: number): void {
    const lastBreak = bytes.lastIndexOf(this.#lineEnd);
    const isSound = lastBreak < from || this.#byteText.isSound(bytes.subarray(from, lastBreak));
    let start = from;
    let nextQuote = this.#hasQuotes ? bytes.indexOf(quote, start) : -1;
    while (start < bytes.length) {
      if (nextQuote >= 0 && nextQuote < start) nextQuote = bytes.indexOf(quote, start);
      const lineEnd = bytes.indexOf(this.#lineEnd, start);
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

  /** Scans to the line break that ends the record and returns its offset; -1 if the record is incomplete. */
  #scan(bytes: Uint8Array, from: number): number {
    let state = this.#state;
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (state === "quoted") {
        const next = bytes.indexOf(quote, at);
        if (next < 0) break;
        at = next;
        state = "closed";
      } else if (byte === this.#lineEnd) {
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
    bytes: Uint8Array,
    { end, isSound, isPlain = false }: { end: number; isSound: boolean; isPlain?: boolean },
  ): void {
    const line = this.#line;
    const inside = this.#breaks + (isPlain ? 0 : this.#breaksIn(bytes));
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
    const { text, isSound: isText, encoding } = this.#byteText;
    if (isSound || isText(own)) found.push({ ...place, text: text(own) });
    else found.push({ ...place, problem: problems.encoding(encoding) });
  }

  /** Stores the bytes of the current record, or only counts them once the record is too long. */
  #keep(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#kept += bytes.length;
    if (this.#kept <= maxRecordBytes && this.#dropped === 0) return;
    for (const piece of this.#pieces) this.#breaks += this.#breaksIn(piece);
    this.#dropped += this.#kept;
    this.#pieces = [];
    this.#kept = 0;
  }

  /** Returns the stored bytes of the record, and resets the state for the next one. */
  #joined(): Uint8Array {
    const [first = new Uint8Array(), ...others] = this.#pieces;
    const bytes = others.length === 0 ? first : joined(this.#pieces);
    this.#pieces = [];
    this.#kept = 0;
    return bytes;
  }

  #breaksIn(bytes: Uint8Array): number {
    const lineEnd = this.#lineEnd;
    let breaks = 0;
    for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) breaks += 1;
    return breaks;
  }
}
