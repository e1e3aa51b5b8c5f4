import type { JsonObject } from "../../http/index.js";

/**
 * The maximum length of all descriptions in characters, about 16,000 tokens: more would fill an agent's context at
 * once.
 */
const maxLength = 64 * 1024;

/** The response of `list_resources`: all descriptions, without fields if they are too long in total. */
export function listedText(described: readonly JsonObject[]): string {
  const text = JSON.stringify({ data: described });
  if (text.length <= maxLength) return text;
  return JSON.stringify({ data: described.map(({ fields: _, ...resource }) => resource) });
}
