import { z } from "zod";
import { cellWords } from "../../../values/files/cell-words.js";
import { type IdType, idForms } from "../../../values/schema/id-types.js";
import { idKind, integerIdKind, stringIdKind } from "./id.js";
import type { Kind } from "./kind.js";
import { expecting, refined } from "./value/schema.js";

const linked = {
  index: "page",
  aggregations: () => ["value"],
  takesReference: true,
} as const satisfies Partial<Kind>;

export const belongsToKind: Kind = { ...idKind, ...linked };

/** Links to records whose ids are integers or texts. */
export const integerLinkKind: Kind = { ...integerIdKind, ...linked };
export const stringLinkKind: Kind = { ...stringIdKind, ...linked };

/** The id of a record of another resource, a UUID by default. Its existence is checked when it is stored. */
export function reference({ id = "uuid" }: { readonly id?: IdType } = {}): z.ZodType<string> {
  const { isId, usual } = idForms[id];
  return refined(z.string(expecting(cellWords.recordId)), (value) =>
    isId(value) ? null : cellWords.recordId,
  ).transform(usual);
}
