import type { z } from "zod";
import { asText, type Kind, kindDefaults, reads } from "./kind.js";
import { text } from "./text.js";

/** The key of a stored upload, for fields with files or pictures. */
export const fileKind: Kind = {
  ...kindDefaults,
  ...reads(asText),
  sqlType: "text",
  comparisons: "whole",
  index: "rows",
  isFile: true,
  missing: "No file was uploaded to this field under this key",
};

/** The key of a stored upload. Whether it was uploaded for this field is checked when it is stored. */
export function fileKey(): z.ZodType<string> {
  return text({ minLength: 1, maxLength: 1000 });
}
