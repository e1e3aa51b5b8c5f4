import { ExpressionMistake } from "./mistake.js";

export type Token = {
  /** The position of the token's first character, from 0. */
  readonly at: number;
  readonly text: string;
} & (
  | { readonly kind: "name" | "number" | "sign" | "end" }
  | { readonly kind: "text"; readonly value: string }
);

const pattern =
  /(?<space>\s+)|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<text>'(?:[^']|'')*')|(?<sign>\|\||<>|<=|>=|!=|==|&&|[-+*/=<>(),])/y;

/** Operators of other languages, and what to write instead. */
const otherSigns: Readonly<Record<string, string>> = {
  "!=": "write <>",
  "==": "write =",
  "&&": "write and",
};

/** Returns the words and signs of an expression; the last token marks its end. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    pattern.lastIndex = at;
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) throw unreadable(text, at);
    const [kind, word] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [];
    if (kind === undefined || word === undefined) throw unreadable(text, at);
    const other = otherSigns[word];
    if (other !== undefined) throw new ExpressionMistake(at, `"${word}" is not an operator`, other);
    if (kind === "text") {
      tokens.push({ kind, at, text: word, value: word.slice(1, -1).replaceAll("''", "'") });
    } else if (kind !== "space") {
      tokens.push({ kind: kind as "name" | "number" | "sign", at, text: word });
    }
    at += word.length;
  }
  return [...tokens, { kind: "end", at: text.length, text: "" }];
}

function unreadable(text: string, at: number): ExpressionMistake {
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (sign === "'") {
    return new ExpressionMistake(at, "this text has no closing quote", "close it with '");
  }
  const hint =
    sign === '"' ? "write a text in single quotes, and a field without any" : "remove it";
  return new ExpressionMistake(at, `unexpected ${sign}`, hint);
}
