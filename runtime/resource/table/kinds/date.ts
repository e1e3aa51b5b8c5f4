import { z } from "zod";
import { cellWords } from "../../../values/files/cell-words.js";
import { readDate } from "../../../values/time.js";
import { type Kind, kindDefaults, reads } from "./kind.js";
import { expecting, refined } from "./value/schema.js";

const expected = cellWords.date;

export const dateKind: Kind = {
  ...kindDefaults,
  ...reads((value) => (readDate(value) === null ? { problem: expected } : { value })),
  sqlType: "date",
  comparisons: "order",
  aggregations: () => ["extreme", "value", "period"],
  time: "day",
};

/** A date as `YYYY-MM-DD`, 0001-01-01 to 9999-12-31. */
export function date(): z.ZodType<string> {
  return refined(z.string(expecting(expected)), (value) =>
    readDate(value) === null ? expected : null,
  );
}
