import { ts } from "ts-morph";

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the position of the first syntax error that TypeScript's own parser finds, with its message; null if all
 * files parse.
 */
export function firstSyntaxError(files: readonly SourceText[]): string | null {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const program = ts.createProgram({
    rootNames: [...texts.keys()],
    // Without the library and imported modules, only the parser runs.
    options: { noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.ESNext },
    host: hostOf(texts),
  });
  const [first] = program.getSyntacticDiagnostics();
  if (first === undefined) return null;
  const { line } = first.file.getLineAndCharacterOfPosition(first.start);
  const words = ts.flattenDiagnosticMessageText(first.messageText, " ");
  return `${first.file.fileName}:${line + 1} was emitted with a syntax error: ${words}`;
}

/** A file system that contains only those texts. */
function hostOf(texts: ReadonlyMap<string, string>): ts.CompilerHost {
  return {
    getSourceFile: (path) =>
      ts.createSourceFile(
        path,
        texts.get(path) ?? "",
        // Comments do not affect whether a file parses.
        {
          languageVersion: ts.ScriptTarget.ESNext,
          jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
        },
        false,
        ts.ScriptKind.TS,
      ),
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
