import type { Embedded, EmbeddedOptions, Located } from "./start.js";

export type { Embedded, EmbeddedOptions, Located };

/**
 * Calls `startEmbedded` of `start.ts`, which is imported only when needed: commands that use another
 * database never need it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const start = await import("./start.js");
  return start.startEmbedded(options);
}

/** Calls `locateEmbedded` of `start.ts`, imported in the same way. */
export async function locateEmbedded(root: string): Promise<Located> {
  const start = await import("./start.js");
  return start.locateEmbedded(root);
}
