import { isUtf8 } from "node:buffer";
import { type Found, maxRecordBytes, problems } from "../../values/csv/found.js";

const [open, close, comma, quoteMark, backslash] = [91, 93, 44, 34, 92];
const deeper = new Set([91, 123]);
const back = new Set([93, 125]);
const blank = new Set([9, 10, 13, 32]);

/** The message for a file without a list. */
export const noList = "This is not a JSON list of records";

interface ElementEnd {
  /** Bytes from the start of the file. */
  readonly end: number;
  /** Whether a comma follows. */
  readonly isFollowed: boolean;
}

/** Splits a JSON list that arrives in chunks into its elements, with limited memory. */
export class ListSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #scanned = 0;
  #offset: number;
  #dropped = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  /** The position: before the list, in it, after it, or after trailing text. */
  #place: "before" | "in" | "behind" | "over" = "before";
  /** Whether an element must follow, because of a comma. */
  #isAwaited = false;
  #elements: number;

  /** `elements` is the number of elements before the offset. */
  constructor({ offset, elements }: { offset: number; elements: number }) {
    this.#offset = offset;
    this.#elements = elements;
    if (elements > 0) this.#place = "in";
  }

  /** @throws {NoList} if the file is not a list. */
  push(chunk: Buffer): Found[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const found: Found[] = [];
    let start = 0;
    let at = this.#scanned;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#place !== "in") {
        if (blank.has(byte) || this.#place === "over") continue;
        if (this.#place === "behind") {
          const end = this.#offset + at;
          found.push({ line: 0, end, nextLine: 0, problem: "Text after the end of the list" });
          this.#place = "over";
        } else {
          if (byte !== open) throw new NoList();
          this.#place = "in";
          start = at + 1;
        }
      } else if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quoteMark) this.#inText = false;
      } else if (byte === quoteMark) {
        this.#inText = true;
      } else if (deeper.has(byte)) {
        this.#depth += 1;
      } else if (this.#depth > 0) {
        if (back.has(byte)) this.#depth -= 1;
      } else if (byte === comma || byte === close) {
        const end = this.#offset + at;
        found.push(
          ...this.#element(bytes.subarray(start, at), { end, isFollowed: byte === comma }),
        );
        start = at + 1;
        if (byte === close) this.#place = "behind";
      }
    }
    this.#keep(bytes, start);
    return found;
  }

  /** @throws {NoList} if the file has no list. */
  finish(): Found[] {
    if (this.#place === "before") throw new NoList();
    if (this.#place !== "in") return [];
    const end = this.#offset + this.#rest.length;
    return [{ line: 0, end, nextLine: 0, problem: "The list is never closed" }];
  }

  /** The element of these bytes; none if they are only whitespace. */
  #element(bytes: Buffer, { end, isFollowed }: ElementEnd): readonly Found[] {
    const isLong = this.#dropped + bytes.length > maxRecordBytes;
    this.#dropped = 0;
    const place = { line: 0, end, nextLine: 0 };
    if (isLong) {
      return this.#count({ ...place, problem: problems.tooLong }, { isFollowed });
    }
    const isSound = isUtf8(bytes);
    const text = isSound ? bytes.toString("utf8").trim() : "";
    if (isSound && text === "") {
      // The first comma after an element of a previous run, or the end of an empty list.
      const isStart = this.#elements > 0 && !this.#isAwaited;
      if (isFollowed ? isStart : !this.#isAwaited) {
        this.#isAwaited = isFollowed;
        return [];
      }
    }
    const one = isSound ? { ...place, text } : { ...place, problem: problems.encoding("UTF-8") };
    return this.#count(one, { isFollowed });
  }

  #count(one: Found, { isFollowed }: Pick<ElementEnd, "isFollowed">): readonly Found[] {
    this.#elements += 1;
    this.#isAwaited = isFollowed;
    return [one];
  }

  #keep(bytes: Buffer, start: number): void {
    const rest = this.#place === "in" ? bytes.subarray(start) : Buffer.alloc(0);
    this.#offset += bytes.length - rest.length;
    this.#scanned = rest.length;
    if (this.#dropped === 0 && rest.length <= maxRecordBytes) {
      this.#rest = rest;
      return;
    }
    this.#dropped += rest.length;
    this.#offset += rest.length;
    this.#rest = Buffer.alloc(0);
    this.#scanned = 0;
  }
}

/** The file is not a JSON list. */
export class NoList extends Error {
  constructor() {
    super(noList);
  }
}
