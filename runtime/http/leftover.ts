import type { IncomingMessage, ServerResponse } from "node:http";

/** Bytes and milliseconds that a client may go on sending after its answer. */
const mostBytes = 16 * 1024 * 1024;
const mostTime = 5_000;

/**
 * What is left of a body after the answer is read and thrown away, so that the answer arrives and the
 * connection can be used again; a client that does not come to an end is cut off.
 */
export function limitLeftover(request: IncomingMessage, response: ServerResponse): void {
  response.on("finish", () => {
    if (request.complete) return;
    const { socket } = request;
    const cut = setTimeout(() => socket.destroy(), mostTime);
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) socket.destroy();
    });
    request.once("close", () => clearTimeout(cut));
    request.once("end", () => clearTimeout(cut));
    request.resume();
  });
}
