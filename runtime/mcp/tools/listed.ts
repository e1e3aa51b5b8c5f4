import type { JsonObject } from "../../http/index.js";

/** Characters of all descriptions, some 16,000 tokens of a model: more would fill an agent's context at once. */
const maxLength = 64 * 1024;

/** The response of `list_resources`: all descriptions, without their fields if they are too long in total. */
export function listedText(described: readonly JsonObject[]): string {
  const text = JSON.stringify({ data: described });
  if (text.length <= maxLength) return text;
  return JSON.stringify({ data: described.map(({ fields: _, ...resource }) => resource) });
}
