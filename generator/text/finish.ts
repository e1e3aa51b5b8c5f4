import type { SourceText } from "./syntax-errors.js";

/**
 * Reads emitted files with a parser of TypeScript. One that does not parse is our bug, not the user's
 * compile error: throws with the file, the line and the parser's words.
 */
export async function assertParse(files: readonly SourceText[]): Promise<void> {
  const suspects = await suspectsAmong(files);
  if (suspects.length === 0) return;
  const { firstSyntaxError } = await import("./syntax-errors.js");
  const error = firstSyntaxError(suspects);
  if (error !== null) throw new Error(error);
}

/**
 * The files that TypeScript's own parser has to judge: those that a faster one does not read, which takes a tenth of
 * its second for a hundred resources; all of them where the faster one's binary is not available.
 */
async function suspectsAmong(files: readonly SourceText[]): Promise<readonly SourceText[]> {
  const fast = await import("oxc-parser").catch(() => null);
  if (fast === null) return files;
  const options = { lang: "ts", sourceType: "module" } as const;
  return files.filter(({ path, text }) => fast.parseSync(path, text, options).errors.length > 0);
}
