import { z } from "zod";
import { isUuid } from "../../../values/uuid.js";
import { idKind } from "./id.js";
import type { Kind } from "./kind.js";
import { expecting, refined } from "./value/schema.js";

export const belongsToKind: Kind = {
  ...idKind,
  index: "page",
  aggregations: () => ["value"],
  takesReference: true,
};

/** The id of a record of another resource; whether it exists is checked when it is stored. */
export function reference(): z.ZodType<string> {
  return refined(z.string(expecting("Must be the id of a record")), (value) =>
    isUuid(value) ? null : "Must be the id of a record",
  ).transform((value) => value.toLowerCase());
}
