import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "../../errors/index.js";

/** 413 immediately if the client announces a body that exceeds the limit. */
export function refuseTooLong({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers["content-length"] ?? 0) > maxBytes) refuseSize(maxBytes);
}

export interface LimitedBody {
  /** The bytes as they arrive: 413 at the first byte over the limit, 400 if the client disconnects. */
  readonly bytes: AsyncGenerator<Uint8Array>;
  /** Reads and discards the rest if reading `bytes` stopped early. Refuses like `bytes`. */
  finish(): Promise<void>;
}

export function limitBody(request: IncomingMessage, maxBytes: number): LimitedBody {
  let received = 0;

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      // The request must outlive its body: if the body is refused, the server discards the rest.
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

/** Yields the chunks; 413 at the first byte over the limit. */
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

/** 413: the file exceeds the limit of this setting. */
export function refuseSize(maxBytes: number, setting = "uploads.max_bytes"): never {
  return refuse("TOO_LARGE", {
    error: `The file is larger than ${sizeText(maxBytes)} (${setting})`,
  });
}

const megabyte = 1_048_576;

/** A size in MB, with one decimal if needed; in bytes if it is less than 1 MB. */
function sizeText(bytes: number): string {
  if (bytes < megabyte) return `${bytes} bytes`;
  return `${Math.floor((bytes * 10) / megabyte) / 10} MB`;
}
