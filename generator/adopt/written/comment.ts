import type { ReportLine } from "../model/adoption.js";

/** Formats a report line as one sentence: `why; way`. */
export function sentenceOf({ why, way }: Pick<ReportLine, "why" | "way">): string {
  return way === null ? why : `${why}; ${way}`;
}

/** Returns the text without characters that would end a line comment. */
export function inComment(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
