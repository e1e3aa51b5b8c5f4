/** Where a statement begins, and how. */
interface Statement {
  /** Counted from 0. */
  readonly line: number;
  /** Its first two words or signs, in small letters. */
  readonly opening: readonly string[];
}

/**
 * Finds the statements of an SQL text, to name a line where PostgreSQL names none and to refuse what
 * a step must not hold. It is never run by them: taking SQL apart is PostgreSQL's.
 */
export function findStatements(sql: string): readonly Statement[] {
  const statements: { line: number; opening: string[] }[] = [];
  let line = 0;
  let isInside = false;
  let depth = 0;
  let formerWord = "";
  for (const token of tokensOf(sql)) {
    const isGap = /^(?:\s|--|\/\*)/.test(token);
    const word = token.toLowerCase();
    if (token === ";" && depth === 0) isInside = false;
    else if (!isGap) {
      if (!isInside) statements.push({ line, opening: [] });
      isInside = true;
      const opening = statements.at(-1)?.opening ?? [];
      if (opening.length < 2) opening.push(word);
    }
    // The body of a function in standard SQL: begin atomic … end, with semicolons in it.
    if (word === "atomic" && formerWord === "begin") depth = 1;
    else if (depth > 0 && word === "case") depth += 1;
    else if (depth > 0 && word === "end") depth -= 1;
    if (!isGap) formerWord = word;
    line += token.split("\n").length - 1;
  }
  return statements;
}

/** The text without the blanks and the lines of comments at its ends. */
export function trimComments(sql: string): string {
  const lines = sql.split("\n");
  const isIdle = (line: string) => /^\s*(--.*)?$/.test(line);
  const last = lines.findLastIndex((line) => !isIdle(line));
  const first = lines.findIndex((line) => !isIdle(line));
  return lines
    .slice(Math.max(0, first), last + 1)
    .join("\n")
    .trim();
}

/** Comment, text with its escapes, quoted name, text between dollars, word, blanks, anything else. */
const oneToken =
  /--[^\n]*|e'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([a-z_]\w*)?\$[\s\S]*?\$\1\$|[a-z_][\w$]*|\s+|[\s\S]/giy;

function* tokensOf(sql: string): Generator<string> {
  for (let at = 0; at < sql.length; ) {
    oneToken.lastIndex = at;
    const token = sql.startsWith("/*", at)
      ? blockComment(sql, at)
      : (oneToken.exec(sql)?.[0] ?? sql.slice(at));
    yield token;
    at += token.length;
  }
}

/** Comments of this form may hold one another. */
function blockComment(sql: string, start: number): string {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark !== null; mark = marks.exec(sql)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return sql.slice(start, marks.lastIndex);
  }
  return sql.slice(start);
}
