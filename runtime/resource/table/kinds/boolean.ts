import { z } from "zod";
import { cellWords } from "../../../values/files/cell-words.js";
import { type Kind, kindDefaults, reads } from "./kind.js";
import { expecting } from "./value/schema.js";

export const booleanKind: Kind = {
  ...kindDefaults,
  ...reads((value) =>
    value === "true" || value === "false" ? { value } : { problem: cellWords.boolean },
  ),
  sqlType: "boolean",
  json: "boolean",
  comparisons: "whole",
  // In the order of the tally's columns.
  aggregations: () => ["value"],
  jsonText: (value) => `${value}::text`,
  counted: () => ["true", "false"],
};

/** `true` or `false`. */
export function boolean(): z.ZodType<boolean> {
  return z.boolean(expecting(cellWords.boolean));
}
