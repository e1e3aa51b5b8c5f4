import { TextDecoder } from "node:util";
import { Refusal, refuse } from "../../../errors/index.js";
import { type MarkupState, newMarkupWatch } from "./markup.js";
import { beginsLikeMessage } from "./message.js";

/** Control characters, except tab, line feed and carriage return. */
const control = /[^\P{Cc}\t\n\r]/u;

/** The bytes as text; null if they are not text. If they are only a part, they may end within a character. */
export function textOf(bytes: Uint8Array, { isWhole }: { isWhole: boolean }): string | null {
  try {
    const text = newDecoder().decode(bytes, { stream: !isWhole });
    return control.test(text) ? null : text;
  } catch (error) {
    if (isMalformed(error)) return null;
    throw error;
  }
}

/** Refuses a text by its beginning; `checkedText` also finds markup after long whitespace and comments. */
export function checkBeginning(opening: string): void {
  if (newMarkupWatch().sees(opening)) refuse("INVALID", { error: markup });
  if (beginsLikeMessage(opening)) refuse("INVALID", { error: message });
}

/** Passes the bytes through; refuses if they stop being text, or turn out to begin like markup. */
export async function* checkedText(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const check = newTextCheck();
  for await (const bytes of source) {
    check.next(bytes);
    yield bytes;
  }
  check.end();
}

/** Passes all bytes through; afterwards `isText` reports whether `checkedText` would have accepted them. */
export function watchedText(source: AsyncIterable<Uint8Array>) {
  const check = newTextCheck();
  let isText = true;
  function watch(step: () => void): void {
    try {
      if (isText) step();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      isText = false;
    }
  }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      watch(() => check.next(piece));
      yield piece;
    }
    watch(() => check.end());
  }
  return { bytes: bytes(), isText: () => isText };
}

/** The state of a check, from which another one can continue. */
export interface TextState {
  /** The bytes of an incomplete character, in base64. */
  readonly begun: string;
  readonly markup: MarkupState;
}

/** Examines a text in chunks; refuses as soon as it is not text, or turns out to begin like markup. */
export function newTextCheck(from?: TextState) {
  const decoder = newDecoder();
  const watch = newMarkupWatch(from?.markup);
  let last = Buffer.from(from?.begun ?? "", "base64");
  decoder.decode(last, { stream: true });
  return {
    next(bytes: Uint8Array): void {
      const text = decodedOrRefuse(() => decoder.decode(bytes, { stream: true }));
      if (watch.sees(text)) refuse("INVALID", { error: markup });
      last = Buffer.concat([last, bytes.subarray(-longestBegun)]).subarray(-longestBegun);
    },
    end(): void {
      decodedOrRefuse(() => decoder.decode());
      if (watch.seesAtEnd()) refuse("INVALID", { error: markup });
    },
    state: (): TextState => ({ begun: begunIn(last).toString("base64"), markup: watch.state() }),
  };
}

/** Maximum number of bytes of an incomplete UTF-8 character. */
const longestBegun = 3;

/**
 * The bytes of a character that is cut off at the end of a text, judging by the length that its first byte announces.
 */
function begunIn(last: Buffer): Buffer {
  for (let back = 1; back <= last.length; back += 1) {
    const byte = last[last.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const announced = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return back < announced ? last.subarray(-back) : Buffer.alloc(0);
  }
  return Buffer.alloc(0);
}

const markup = "The file begins like HTML, SVG or XML, which are not accepted";
const message = "The file begins like a saved web page or an email, which are not accepted";
const broken = "The file begins as text, but is not valid UTF-8 without control characters";

/** A decoder that does not remove byte order marks: they may occur anywhere. */
function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
}

function decodedOrRefuse(decode: () => string): string {
  try {
    const text = decode();
    if (!control.test(text)) return text;
  } catch (error) {
    if (!isMalformed(error)) throw error;
  }
  return refuse("INVALID", { error: broken });
}

function isMalformed(error: unknown): boolean {
  return error instanceof TypeError && "code" in error && error.code === malformedCode;
}

const malformedCode = "ERR_ENCODING_INVALID_ENCODED_DATA";
