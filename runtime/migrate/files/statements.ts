interface Statement {
  /** Counted from 0. */
  readonly line: number;
  /** The statement's first two words or symbols, in lower case. */
  readonly opening: readonly string[];
}

/**
 * Finds the statements of an SQL text, to report a line if PostgreSQL reports none, and to refuse statements that a
 * step must not contain. Statements are never run individually: PostgreSQL parses the SQL.
 */
export function findStatements(sql: string): readonly Statement[] {
  const statements: { line: number; opening: string[] }[] = [];
  let line = 0;
  let isInside = false;
  let depth = 0;
  let previousWord = "";
  for (const token of tokensOf(sql)) {
    const isGap = gap.test(token);
    const word = token.toLowerCase();
    if (token === ";" && depth === 0) isInside = false;
    else if (!isGap) {
      if (!isInside) statements.push({ line, opening: [] });
      isInside = true;
      const opening = statements.at(-1)?.opening ?? [];
      if (opening.length < 2) opening.push(word);
    }
    // The body of a function in standard SQL: begin atomic … end, with semicolons in it.
    if (word === "atomic" && previousWord === "begin") depth = 1;
    else if (depth > 0 && word === "case") depth += 1;
    else if (depth > 0 && word === "end") depth -= 1;
    if (!isGap) previousWord = word;
    line += token.split("\n").length - 1;
  }
  return statements;
}

/** Whether there is anything besides comments and whitespace; stops at the first such token. */
export function hasStatement(sql: string): boolean {
  for (const token of tokensOf(sql)) if (token !== ";" && !gap.test(token)) return true;
  return false;
}

const gap = /^(?:\s|--|\/\*)/;

/** The text without leading and trailing whitespace and comment lines. */
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

/** Comment, string literal, quoted name, dollar-quoted string, word, whitespace, anything else. */
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

/** Returns a block comment; block comments can be nested. */
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
