import type { Schema } from "../../kind/kind.js";
import type { Resource } from "../../model/model.js";

/** The search of a body. */
export function searchMember({ search }: Resource): Record<string, Schema> {
  return search === null ? {} : { search: { type: "string", maxLength: 200 } };
}
