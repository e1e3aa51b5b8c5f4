import type { Embedded, EmbeddedOptions } from "./start.js";

export type { Embedded, EmbeddedOptions };

/**
 * `startEmbedded` of `start.ts`, loaded when it is called: a server never calls it, and loading the
 * runtime would take a twelfth longer.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const start = await import("./start.js");
  return start.startEmbedded(options);
}
