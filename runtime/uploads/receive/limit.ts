import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "../../errors/index.js";

/** 413 immediately if the client announces a body over the limit. */
export function refuseTooLong({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers["content-length"] ?? 0) > maxBytes) refuseSize(maxBytes);
}

export interface LimitedBody {
  /** The bytes as they arrive: 413 at the first byte over the limit, 400 if the client disconnects. */
  readonly bytes: AsyncGenerator<Uint8Array>;
  /** Reads and discards the rest if `bytes` was ended early. Refuses like `bytes`. */
  finish(): Promise<void>;
}

export function limitBody(request: IncomingMessage, maxBytes: number): LimitedBody {
  let received = 0;

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      // The request outlives its body: the server discards the rest of a refused one.
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        received += chunk.length;
        if (received > maxBytes) refuseSize(maxBytes);
        yield chunk;
      }
    } catch (error) {
      // After the client has disconnected, even a complete body can no longer be read.
      if (request.destroyed && !(error instanceof Refusal)) refuse("BAD_REQUEST");
      throw error;
    }
  }

  return {
    bytes: read(),
    async finish() {
      for await (const _ of read());
    },
  };
}

/** The chunks, with 413 at the first byte over the limit. */
export async function* limitBytes(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of source) {
    received += chunk.length;
    if (received > maxBytes) refuseSize(maxBytes);
    yield chunk;
  }
}

/** 413: the file is larger than that setting allows. */
export function refuseSize(maxBytes: number, setting = "uploads.max_bytes"): never {
  return refuse("TOO_LARGE", {
    error: `The file is larger than ${sizeText(maxBytes)} (${setting})`,
  });
}

const megabyte = 1_048_576;

/** A size in MB, with a decimal if needed; in bytes below one MB. */
function sizeText(bytes: number): string {
  if (bytes < megabyte) return `${bytes} bytes`;
  return `${Math.floor((bytes * 10) / megabyte) / 10} MB`;
}
