import type { SourceText } from "./syntax-errors.js";

/**
 * Parses emitted files as TypeScript. A file that does not parse is a bug of the generator: throws an error with the
 * file, the line and the parser's message.
 */
export async function assertParse(files: readonly SourceText[]): Promise<void> {
  const suspects = await suspectsAmong(files);
  if (suspects.length === 0) return;
  const { firstSyntaxError } = await import("./syntax-errors.js");
  const error = firstSyntaxError(suspects);
  if (error !== null) throw new Error(error);
}

/**
 * The files that TypeScript's own parser must check: those that a faster parser rejects, or all
 * files if the binary of the faster parser is missing. For a hundred resources, the faster parser
 * takes 0.1 s and TypeScript 1 s.
 */
async function suspectsAmong(files: readonly SourceText[]): Promise<readonly SourceText[]> {
  const fast = await import("oxc-parser").catch(() => null);
  if (fast === null) return files;
  const options = { lang: "ts", sourceType: "module" } as const;
  return files.filter(({ path, text }) => fast.parseSync(path, text, options).errors.length > 0);
}
