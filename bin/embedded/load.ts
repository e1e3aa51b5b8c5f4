import type { Embedded, EmbeddedOptions, Located } from "./start.js";

export type { Embedded, EmbeddedOptions, Located };

/**
 * Calls `startEmbedded` of `start.ts`, which is imported on first use: commands with another database never need it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const start = await import("./start.js");
  return start.startEmbedded(options);
}

/** Calls `locateEmbedded` of `start.ts`, which is imported on first use. */
export async function locateEmbedded(root: string): Promise<Located> {
  const start = await import("./start.js");
  return start.locateEmbedded(root);
}
