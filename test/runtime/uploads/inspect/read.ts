import { Buffer } from "node:buffer";
import { Refusal } from "../../../../runtime/errors/index.js";
import { inspect } from "../../../../runtime/uploads/inspect/inspect.js";

/** What a file was sent as; nothing that says anything where that is left out. */
export interface SentAs {
  readonly name?: string;
  readonly contentType?: string;
  /** Bytes of a piece. */
  readonly pieces?: number;
}

/** The type of what is stored, having read it to its end; or the words of its refusal. */
export async function verdictOn(file: Uint8Array | string, sentAs: SentAs = {}): Promise<string> {
  const whole = Buffer.from(file);
  const { name = "file", contentType, pieces = 16_384 } = sentAs;
  try {
    const { mime, bytes } = await inspect(inPieces(whole, pieces), { name, contentType });
    const received: Uint8Array[] = [];
    for await (const piece of bytes) received.push(piece);
    if (!Buffer.concat(received).equals(whole)) throw new Error("other bytes came out");
    return mime;
  } catch (error) {
    if (error instanceof Refusal && error.status === 422 && error.details.issues === undefined) {
      return error.message;
    }
    throw error;
  }
}

export async function* inPieces(whole: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < whole.length; start += size) {
    yield whole.subarray(start, start + size);
  }
}

export const refused = {
  empty: "The file is empty",
  unknown: "The file is neither text nor of a known type",
  markup: "The file begins like HTML, SVG or XML, which are not accepted",
  message: "The file begins like a saved web page or an email, which are not accepted",
  broken: "The file begins as text, but is not valid UTF-8 without control characters",
} as const;

export function runByBrowsers(type: string): string {
  return `Files of the type ${type} are not accepted: browsers run them`;
}
export function notAsNamed(type: string): string {
  return `The file is ${type}, not what its name says`;
}
export function notAsDeclared(type: string): string {
  return `The file is ${type}, not what its Content-Type says`;
}
