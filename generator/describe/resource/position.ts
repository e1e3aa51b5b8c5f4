import type { Schema } from "../../kind/kind.js";
import type { Resource } from "../../model/model.js";
import { boolean } from "../operation.js";
import { query } from "./parameters.js";

/** The parameter of lists and records for the log position; empty for a resource without `changes`. */
export function positionParameters({ changes }: Resource): readonly Schema[] {
  if (changes === null) return [];
  return [
    query(
      "position",
      { type: "string", enum: ["true", "false"] },
      "Adds the header `Changes-Position`: a stream from that position has every change that the response lacks.",
    ),
  ];
}

/** Returns the property for the log position in the body of `_query`. */
export function positionMember({ changes }: Resource): Readonly<Record<string, Schema>> {
  return changes === null ? {} : { position: boolean };
}
