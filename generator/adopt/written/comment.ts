import type { ReportLine } from "../model/adoption.js";

/** A line of the report in one sentence: `why; way`. */
export function sentenceOf({ why, way }: Pick<ReportLine, "why" | "way">): string {
  return way === null ? why : `${why}; ${way}`;
}

/** The text without characters that would end a comment of one line. */
export function inComment(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
