import { ts } from "ts-morph";

/**
 * Reads emitted files with TypeScript's parser. One that does not parse is our bug, not the user's
 * compile error: throws with the file, the line and the parser's words.
 */
export function assertParse(
  files: readonly { readonly path: string; readonly text: string }[],
): void {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const program = ts.createProgram({
    rootNames: [...texts.keys()],
    // Without the library and what is imported, nothing but the parser runs.
    options: { noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.ESNext },
    host: hostOf(texts),
  });
  const [first] = program.getSyntacticDiagnostics();
  if (first === undefined) return;
  const { line } = first.file.getLineAndCharacterOfPosition(first.start);
  const words = ts.flattenDiagnosticMessageText(first.messageText, " ");
  throw new Error(`${first.file.fileName}:${line + 1} was emitted broken: ${words}`);
}

/** A file system of those texts alone. */
function hostOf(texts: ReadonlyMap<string, string>): ts.CompilerHost {
  return {
    getSourceFile: (path, options) =>
      ts.createSourceFile(path, texts.get(path) ?? "", options, false, ts.ScriptKind.TS),
    getDefaultLibFileName: () => "lib.d.ts",
    getCurrentDirectory: () => "",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    fileExists: (path) => texts.has(path),
    readFile: (path) => texts.get(path),
    writeFile: () => {},
  };
}
