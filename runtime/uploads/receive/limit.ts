import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "../../errors/index.js";

/** 413 at once where the client says that its body is over the limit. */
export function refuseTooLong({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers["content-length"] ?? 0) > maxBytes) refuseSize(maxBytes);
}

/** A body that is read under a limit. */
export interface LimitedBody {
  /** As it comes: 413 with the first byte over the limit, 400 where the client breaks off. */
  readonly bytes: AsyncGenerator<Uint8Array>;
  /** Reads what is left when `bytes` has ended early, and throws it away. Refuses as `bytes` does. */
  finish(): Promise<void>;
}

export function limitBody(request: IncomingMessage, maxBytes: number): LimitedBody {
  let received = 0;

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      // The request outlives its body: what is left of a refused one is thrown away by the server.
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        received += chunk.length;
        if (received > maxBytes) refuseSize(maxBytes);
        yield chunk;
      }
    } catch (error) {
      // Of a client that went away meanwhile, even a whole body cannot be read any more.
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

function refuseSize(maxBytes: number): never {
  return refuse("TOO_LARGE", {
    error: `The file is larger than ${sizeText(maxBytes)} (uploads.max_bytes)`,
  });
}

const megabyte = 1_048_576;

/** In MB, with a decimal where that tells more; in bytes below one. */
function sizeText(bytes: number): string {
  if (bytes < megabyte) return `${bytes} bytes`;
  return `${Math.floor((bytes * 10) / megabyte) / 10} MB`;
}
