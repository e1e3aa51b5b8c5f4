import type { Embedded, EmbeddedOptions, Located } from "./start.js";

export type { Embedded, EmbeddedOptions, Located };

/**
 * `startEmbedded` of `start.ts`, loaded when it is called: a server never calls it, and loading the
 * runtime would take a twelfth longer.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const start = await import("./start.js");
  return start.startEmbedded(options);
}

/** `locateEmbedded` of `start.ts`, loaded in the same way. */
export async function locateEmbedded(root: string): Promise<Located> {
  const start = await import("./start.js");
  return start.locateEmbedded(root);
}
