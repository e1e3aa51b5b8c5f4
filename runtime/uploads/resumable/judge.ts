import { Refusal } from "../../errors/index.js";
import { typeOfBinary } from "../inspect/binary.js";
import type { Claims } from "../inspect/claims.js";
import {
  storableTypeOf,
  textType,
  typeOf,
  typeOfPicture,
  unknownType,
} from "../inspect/inspect.js";
import { newGathering, openingLength } from "../inspect/opening.js";
import { newTextCheck, type TextState, textOf } from "../inspect/text/text.js";
import type { UploadField } from "../objects/fields.js";
import { takesAnything } from "../objects/private-files.js";
import { refuseUnlessTaken } from "../receive/arrival.js";

/** What is known of a file once its opening is complete. Plain data, stored between requests. */
export interface Judged {
  readonly mime: string;
  /** The state of the text check; null if the file is not text, or turned out not to be. */
  readonly text: TextState | null;
}

/**
 * Checks a file as it arrives, over several requests. Every method refuses (422) files that the field does not accept.
 */
export interface Judge {
  next(bytes: Uint8Array): Promise<void>;
  /**
   * The findings so far; null until the opening is complete. Until then, each new judge must get the opening from the
   * start.
   */
  judged(): Judged | null;
  /** The type once all bytes have arrived. */
  end(): Promise<string>;
}

/** Number of bytes after which the kind of file is checked for the first time. */
const firstLook = 4_100;

/**
 * Creates a judge that continues from earlier findings. Most unaccepted kinds are detected, and refused, by their first
 * bytes; the type itself comes from the whole opening, as for a file sent in one request.
 */
export function newJudge(takes: UploadField, claims: Claims, from: Judged | null): Judge {
  const gathering = newGathering();
  let mime = from?.mime ?? null;
  let text = from?.text ? newTextCheck(from.text) : null;
  let hasLooked = false;

  /** If the field accepts any kind, a failed text check only changes the type. */
  function check(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof Refusal) || !takesAnything(takes)) throw error;
      text = null;
      mime = unknownType;
    }
  }

  function settle(type: string): void {
    refuseUnlessTaken(takes, type, claims.name);
    mime = type;
    if (type !== textType) return;
    const begun = newTextCheck();
    text = begun;
    check(() => begun.next(gathering.bytes()));
  }

  async function lookFirst(): Promise<void> {
    hasLooked = true;
    if (takesAnything(takes)) return;
    const bytes = gathering.bytes().subarray(0, firstLook);
    if (!(await isJudgeable(takes, bytes))) return;
    const type = await typeIn(takes, claims, { bytes, isWhole: false });
    refuseUnlessTaken(takes, type, claims.name);
    if (type === textType) settle(type);
  }

  async function lookLast({ isWhole }: { readonly isWhole: boolean }): Promise<void> {
    const bytes = gathering.bytes().subarray(0, openingLength);
    settle(await typeIn(takes, claims, { bytes, isWhole }));
  }

  return {
    async next(bytes) {
      if (mime !== null) {
        const { next } = text ?? {};
        if (next !== undefined) check(() => next(bytes));
        return;
      }
      gathering.add(bytes);
      const { length } = gathering.bytes();
      if (!hasLooked && length >= firstLook) await lookFirst();
      if (mime === null && length >= openingLength) await lookLast({ isWhole: false });
    },
    judged: () => (mime === null ? null : { mime, text: text?.state() ?? null }),
    async end() {
      if (mime === null) await lookLast({ isWhole: true });
      const { end } = text ?? {};
      if (end !== undefined) check(end);
      return mime ?? unknownType;
    },
  };
}

/**
 * Whether the first bytes are sufficient: the type of an archive depends on its entries, and markup may still become
 * SVG.
 */
async function isJudgeable(takes: UploadField, bytes: Uint8Array): Promise<boolean> {
  const text = textOf(bytes, { isWhole: false });
  if (text !== null) return takes.kind !== "image" || !/^\s*</.test(text);
  const type = await typeOfBinary(bytes);
  return type !== null && !isZip(bytes);
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

type Look = Parameters<typeof typeOf>[0];

function typeIn(takes: UploadField, claims: Claims, look: Look): Promise<string> {
  if (takes.kind === "image") return typeOfPicture(look, claims);
  return takesAnything(takes) ? storableTypeOf(look, claims) : typeOf(look, claims);
}
