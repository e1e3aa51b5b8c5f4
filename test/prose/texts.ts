import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { pages } from "../docs/pages.js";

const root = join(import.meta.dirname, "../..");

/** A piece of prose in the repository, without quotations and code. */
export interface Prose {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Comments of implementation and messages may be terse; pages and doc comments are held to a length of sentences. */
  readonly kind: "page" | "doc comment" | "comment" | "message" | "title";
}

/** Quotations and code may use any word. */
function withoutQuotations(text: string): string {
  return text
    .replace(/`[^`]*`/g, "`code`")
    .replace(/"[^"\n]*"|“[^”]*”/g, "“quotation”")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/https?:\S+/g, "address")
    .replace(/\{@link [^}]*\}/g, "`code`");
}

/** Paragraphs, list items and table rows of the documentation, without measured figures and the table of all settings. */
export function pageProse(): Prose[] {
  return pages.flatMap(({ path, text }) => {
    const blank = text.replace(
      /^(?:```.*?^```|<!-- figures -->.*?<!-- \/figures -->|<!--.*?-->|\| `app\.name` .*?(?=\n\n))/gms,
      (block) => block.replace(/[^\n]/g, ""),
    );
    const found: Prose[] = [];
    let paragraph: string[] = [];
    let start = 1;
    const end = () => {
      if (paragraph.length > 0)
        found.push({
          path,
          line: start,
          text: withoutQuotations(paragraph.join(" ")),
          kind: "page",
        });
      paragraph = [];
    };
    blank.split("\n").forEach((line, index) => {
      const begins = /^\s*(?:[-*] |\d+\. |#|\||>)/.test(line);
      if (line.trim() === "" || begins) end();
      if (line.trim() === "") return;
      if (paragraph.length === 0) start = index + 1;
      paragraph.push(line.trim());
    });
    end();
    return found;
  });
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** `/** … *‍/` or `// …` as the sentences that they hold. */
function sentencesOf(comment: string): string {
  return comment
    .replace(/^\*/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, ""))
    .join(" ");
}

/** Comments in a row of `//` lines read as one. */
function commentsOf(path: string, text: string): Prose[] {
  const { comments } = parseSync(path, text);
  const found: Prose[] = [];
  let last: { end: number; prose: { text: string } } | undefined;
  for (const { type, value, start, end } of comments) {
    const isDoc = type === "Block" && value.startsWith("*");
    const prose = {
      path,
      line: lineAt(text, start),
      text: sentencesOf(value),
      kind: isDoc ? ("doc comment" as const) : ("comment" as const),
    };
    const continues =
      type === "Line" && last !== undefined && /^\n[ \t]*$/.test(text.slice(last.end, start));
    if (continues && last !== undefined) {
      last.prose.text += ` ${prose.text}`;
      last.end = end;
      continue;
    }
    found.push(prose);
    last = type === "Line" ? { end, prose } : undefined;
  }
  return found.map((prose) => ({ ...prose, text: withoutQuotations(prose.text) }));
}

/** String literals and templates that hold a sentence rather than a name, SQL or a pattern. */
function messagesOf(path: string, text: string): Prose[] {
  const found: Prose[] = [];
  const strings = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
  const code = text.replace(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gs, (comment) =>
    comment.replace(/[^\n]/g, " "),
  );
  for (const match of code.matchAll(strings)) {
    const value = (match[1] ?? match[2] ?? "").replace(/\$\{[^}]*\}/g, "value");
    if (!/[a-z]+ [a-z]+ [a-z]+/i.test(value) || sql.test(value)) continue;
    found.push({ path, line: lineAt(code, match.index), text: value, kind: "message" });
  }
  return found;
}
const sql =
  /\b(?:select|insert|update|delete|create|drop|alter|begin|where|from|lock|set) [a-z$("]/;

function titlesOf(path: string, text: string): Prose[] {
  const calls =
    /(?:\b(?:test|it|describe|rare|\w*[jJ]ourney)(?:\.\w+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?)*|^ *\](?: as const)?\))\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/gm;
  return [...text.matchAll(calls)].map((match) => ({
    path,
    line: lineAt(text, match.index),
    text: withoutQuotations(match[1] ?? match[2] ?? ""),
    kind: "title" as const,
  }));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/(?:^|\/)(?:dist|node_modules)\//.test(name))
    .map((name) => `${folder}/${name}`);
}

const read = (path: string) => readFileSync(join(root, path), "utf8");

export function sourceProse(folders: readonly string[]): Prose[] {
  return folders.flatMap(sourcesIn).flatMap((path) => {
    const text = read(path);
    return [...commentsOf(path, text), ...messagesOf(path, text)];
  });
}

export function testTitles(): Prose[] {
  return sourcesIn("test").flatMap((path) => titlesOf(path, read(path)));
}
