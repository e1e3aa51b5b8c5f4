import { ExpressionMistake } from "./mistake.js";
import { type Token, tokensOf } from "./tokens.js";
import type { Comparison, Node, Operator } from "./tree.js";

/** Words that cannot be field names, in any case. */
const words = new Set(["and", "or", "not", "is", "null", "true", "false"]);
const caseWords = new Set(["case", "when", "then", "else", "end"]);

const comparisons: ReadonlySet<string> = new Set<Comparison>(["=", "<>", "<", "<=", ">", ">="]);

/** Parses an expression, with PostgreSQL's precedence of operators. Throws an `ExpressionMistake`. */
export function parseExpression(text: string): Node {
  const parser = new Parser(tokensOf(text));
  const node = parser.either();
  parser.end();
  return node;
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  either(): Node {
    return this.#leftToRight(["or"], () => this.#both());
  }

  end(): void {
    const token = this.#token;
    if (token.kind !== "end") throw this.#unexpected("an operator or the end");
  }

  #both(): Node {
    return this.#leftToRight(["and"], () => this.#not());
  }

  #not(): Node {
    const { at } = this.#token;
    return this.#takes("not") ? { kind: "not", at, operand: this.#not() } : this.#isNull();
  }

  #isNull(): Node {
    let node = this.#comparison();
    while (true) {
      const { at } = this.#token;
      if (!this.#takes("is")) return node;
      const isNot = this.#takes("not");
      this.#expect("null");
      node = { kind: "isNull", at, operand: node, isNot };
    }
  }

  #comparison(): Node {
    const left = this.#joined();
    const { at, text } = this.#token;
    if (!comparisons.has(text)) return left;
    this.#next += 1;
    const right = this.#joined();
    if (comparisons.has(this.#token.text)) {
      const hint = "compare two at a time: a < b and b < c";
      throw new ExpressionMistake(this.#token.at, "comparisons cannot be chained", hint);
    }
    return { kind: "binary", at, operator: text as Comparison, left, right };
  }

  #joined(): Node {
    return this.#leftToRight(["||"], () => this.#sum());
  }

  #sum(): Node {
    return this.#leftToRight(["+", "-"], () => this.#product());
  }

  #product(): Node {
    return this.#leftToRight(["*", "/"], () => this.#signed());
  }

  #signed(): Node {
    const { at } = this.#token;
    if (this.#takes("-")) return { kind: "negative", at, operand: this.#signed() };
    return this.#takes("+") ? this.#signed() : this.#value();
  }

  #value(): Node {
    const token = this.#token;
    const { at } = token;
    if (token.kind === "number") {
      this.#next += 1;
      return { kind: "number", at, text: token.text };
    }
    if (token.kind === "text") {
      this.#next += 1;
      return { kind: "text", at, value: token.value };
    }
    if (this.#takes("(")) {
      const node = this.either();
      this.#expect(")");
      return node;
    }
    if (token.kind === "name") return this.#named(token);
    throw this.#unexpected("a field, a number or a text");
  }

  #named({ at, text }: Token): Node {
    const word = text.toLowerCase();
    if (word === "case") return this.#cases(at);
    if (word === "null" || word === "true" || word === "false") {
      this.#next += 1;
      return { kind: "constant", at, value: word === "null" ? null : word === "true" };
    }
    if (words.has(word) || caseWords.has(word)) {
      throw this.#unexpected("a field, a number or a text");
    }
    this.#next += 1;
    if (!this.#takes("(")) return { kind: "field", at, name: text };
    const operands: Node[] = [];
    if (!this.#takes(")")) {
      do operands.push(this.either());
      while (this.#takes(","));
      this.#expect(")");
    }
    return { kind: "call", at, name: word, operands };
  }

  #cases(at: number): Node {
    this.#next += 1;
    if (!this.#is("when")) throw this.#unexpected('"when"');
    const branches: { when: Node; value: Node }[] = [];
    while (this.#takes("when")) {
      const when = this.either();
      this.#expect("then");
      branches.push({ when, value: this.either() });
    }
    const otherwise = this.#takes("else") ? this.either() : null;
    this.#expect("end");
    return { kind: "case", at, branches, otherwise };
  }

  /** Parses a left-associative chain of operators with the same precedence. */
  #leftToRight(operators: readonly Operator[], operand: () => Node): Node {
    let left = operand();
    while (true) {
      const { at } = this.#token;
      const operator = operators.find((one) => this.#takes(one));
      if (operator === undefined) return left;
      left = { kind: "binary", at, operator, left, right: operand() };
    }
  }

  get #token(): Token {
    const token = this.#tokens[this.#next] ?? this.#tokens.at(-1);
    if (token === undefined) throw new Error("an expression has no end");
    return token;
  }

  #is(word: string): boolean {
    const { kind, text } = this.#token;
    return (kind === "sign" || kind === "name") && text.toLowerCase() === word;
  }

  #takes(word: string): boolean {
    const isIt = this.#is(word);
    if (isIt) this.#next += 1;
    return isIt;
  }

  #expect(word: string): void {
    if (!this.#takes(word)) throw this.#unexpected(`"${word}"`);
  }

  #unexpected(expected: string): ExpressionMistake {
    const { kind, at, text } = this.#token;
    const message = kind === "end" ? "unexpected end of the expression" : `unexpected ${text}`;
    return new ExpressionMistake(at, message, `expected ${expected}`);
  }
}
