import { openProxyPort, through } from "./proxy-port.js";

/** A network that loses an answer: the request succeeds, and its client gets no answer. */
export interface AnswerLosingProxy {
  /** The address of the server, as seen through the proxy. */
  readonly url: string;
  /** Ends the connection that next sends these bytes, as soon as the server answers them. */
  loseAnswerTo(bytes: string): void;
  /** Ends all connections; the server hears of it when it next reads. */
  cut(): void;
  close(): Promise<void>;
}

/** Opens one to the server of this address. */
export async function openAnswerLosingProxy(address: string): Promise<AnswerLosingProxy> {
  const target = new URL(address);
  let wanted: string | null = null;
  const port = await openProxyPort((client) => {
    const upstream = port.join(client, target);
    let isAsked = false;
    client.on("data", (chunk: Buffer) => {
      if (wanted !== null && chunk.includes(wanted)) {
        isAsked = true;
        wanted = null;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      if (isAsked) client.destroy();
      else client.write(chunk);
    });
  });
  return {
    url: through(address, port).href,
    loseAnswerTo: (bytes) => {
      wanted = bytes;
    },
    cut: () => {
      for (const client of port.joined.keys()) client.destroy();
    },
    close: port.close,
  };
}
