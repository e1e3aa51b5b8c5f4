import type { Resource } from "../api/client/types.js";
import { enBlocks } from "../text/en/home/blocks.js";

/** The name of a list on a home page: that of its view, or of its resource. */
export function listName(
  { label }: Resource,
  { name, search }: { readonly name: string | null; readonly search: string },
): string {
  if (name !== null) return name;
  return search === "" ? label : enBlocks.filtered(label);
}
