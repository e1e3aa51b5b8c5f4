import { z } from "zod";
import { cellWords } from "../../../values/files/cell-words.js";
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

/** The id of a record of another resource; its existence is checked when it is stored. */
export function reference(): z.ZodType<string> {
  return refined(z.string(expecting(cellWords.recordId)), (value) =>
    isUuid(value) ? null : cellWords.recordId,
  ).transform((value) => value.toLowerCase());
}
