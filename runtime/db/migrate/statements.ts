/**
 * On which lines the statements of an SQL text begin, counted from 0. Used to name a line where
 * PostgreSQL names none, never to take a text apart: that is PostgreSQL's.
 */
export function statementLines(sql: string): readonly number[] {
  const lines: number[] = [];
  let line = 0;
  let isInside = false;
  let depth = 0;
  let formerWord = "";
  for (const token of tokensOf(sql)) {
    const isGap = /^(?:\s|--|\/\*)/.test(token);
    if (token === ";" && depth === 0) isInside = false;
    else if (!isGap && !isInside) {
      isInside = true;
      lines.push(line);
    }
    // The body of a function in standard SQL: begin atomic … end, with semicolons in it.
    const word = token.toLowerCase();
    if (word === "atomic" && formerWord === "begin") depth = 1;
    else if (depth > 0 && word === "case") depth += 1;
    else if (depth > 0 && word === "end") depth -= 1;
    if (!isGap) formerWord = word;
    line += token.split("\n").length - 1;
  }
  return lines;
}

/** The text without the blanks and the lines of comments at its ends. */
export function withoutIdleEnds(sql: string): string {
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
