export type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";
export type Operator = "+" | "-" | "*" | "/" | "||" | Comparison | "and" | "or";

/** An expression as written; `at` is the position of its operator, or of its first character. */
export type Node = { readonly at: number } & (
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "constant"; readonly value: true | false | null }
  | { readonly kind: "negative" | "not"; readonly operand: Node }
  | { readonly kind: "isNull"; readonly operand: Node; readonly isNot: boolean }
  | {
      readonly kind: "binary";
      readonly operator: Operator;
      readonly left: Node;
      readonly right: Node;
    }
  | {
      readonly kind: "case";
      readonly branches: readonly { readonly when: Node; readonly value: Node }[];
      readonly otherwise: Node | null;
    }
  | { readonly kind: "call"; readonly name: string; readonly operands: readonly Node[] }
);
