import { type CallExpression, type Node, type ObjectLiteralExpression, SyntaxKind } from "ts-morph";
import { linesAt, type Style } from "./style.js";

/** What takes the place of a piece of a file's text; where the piece is empty, it is added. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What has to change in one file of the app, which its absolute path names. */
export interface FileEdit {
  readonly path: string;
  /** As it was read. */
  readonly text: string;
  readonly edits: readonly Edit[];
}

/** What adding code comes to: a change, or the place where it is already. */
export type Outcome = FileEdit | { readonly there: string };

/** The text with all edits; of several at one place, each follows the one before. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let done = 0;
  for (const { start, end, text: added } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(done, start) + added;
    done = end;
  }
  return result + text.slice(done);
}

/** Adds a member, given in lines without a comma at its end, as the last one of an object. */
export function memberEdits(
  literal: ObjectLiteralExpression,
  lines: readonly string[],
  style: Style,
): readonly Edit[] {
  const text = literal.getSourceFile().getFullText();
  const [open, close] = [literal.getStart() + 1, literal.getEnd() - 1];
  const inner = text.slice(open, close);
  const contentEnd = open + inner.trimEnd().length;
  const last = literal.getProperties().at(-1);
  const hasComma = literal.compilerNode.properties.hasTrailingComma;
  const comma = last === undefined || hasComma ? [] : [added(last.getEnd(), ",")];
  const around = indentAt(text, open);
  const within = around + style.indent;
  const isOnOneLine = !inner.includes("\n");
  if (isOnOneLine && lines.length === 1 && (last !== undefined || inner.trim() === "")) {
    // `{ routes }` stays on its line.
    if (last !== undefined)
      return [...comma, added(hasComma ? contentEnd : last.getEnd(), ` ${lines[0]}`)];
    return [{ start: open, end: close, text: style.pad + lines[0] + style.pad }];
  }
  if (isOnOneLine) {
    const breaks = memberStarts(literal)
      .filter(({ end }) => end < close)
      .map((space) => ({ ...space, text: style.lineEnd + within }));
    const content = style.lineEnd + linesAt(lines, within, style) + style.lastComma;
    const rest = { start: contentEnd, end: close, text: content + style.lineEnd + around };
    return inner.trim() === "" ? [rest] : [...breaks, ...comma, rest];
  }
  const own = text.slice(open).search(/\S/) + open;
  const indent = own < contentEnd && isFirstOnLine(text, own) ? indentAt(text, own) : within;
  const lastComma = last === undefined ? style.lastComma : hasComma ? "," : "";
  const content = style.lineEnd + linesAt(lines, indent, style) + lastComma;
  const isClosedBelow = text.slice(contentEnd, close).includes("\n");
  return [...comma, added(contentEnd, content + (isClosedBelow ? "" : style.lineEnd + around))];
}

/** Gives a call without arguments an object with one member. */
export function intoCall(call: CallExpression, lines: readonly string[], style: Style): Edit {
  const text = call.getSourceFile().getFullText();
  const at =
    call.getExpression().getEnd() + text.slice(call.getExpression().getEnd()).indexOf("(") + 1;
  const [only] = lines;
  if (lines.length === 1) return added(at, `{${style.pad}${only}${style.pad}}`);
  const { lineEnd, lastComma, indent } = style;
  const around = indentAt(text, at);
  const within = linesAt(lines, around + indent, style);
  return added(at, `{${lineEnd}${within}${lastComma}${lineEnd}${around}}`);
}

/** Adds text at a place. */
export function added(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/** The white space at the beginning of the line. */
export function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? "";
}

/** Adds lines below a node, and below a comment that ends its line; other code of that line comes behind them. */
export function addedBelow(node: Node, lines: string, { lineEnd }: Style): Edit {
  const after = node.getSourceFile().getFullText().slice(node.getEnd());
  const [rest = ""] = /^[^\r\n]*/.exec(after) ?? [];
  const isComment = /^\s*(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/\s*)?$/.test(rest);
  if (!isComment) return added(node.getEnd(), lineEnd + lines + lineEnd);
  return added(node.getEnd() + rest.length, lineEnd + lines);
}

function isFirstOnLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at).trim() === "";
}

/** The white space before each member of an object on one line. */
function memberStarts(literal: ObjectLiteralExpression): readonly Omit<Edit, "text">[] {
  const text = literal.getSourceFile().getFullText();
  const commas = literal
    .getChildSyntaxListOrThrow()
    .getChildrenOfKind(SyntaxKind.CommaToken)
    .map((comma) => comma.getEnd());
  return [literal.getStart() + 1, ...commas].map((start) => {
    const end = start + text.slice(start).search(/\S/);
    return { start, end };
  });
}
