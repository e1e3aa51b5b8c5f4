import { type Expression, Node, type Symbol as TypeSymbol } from "ts-morph";

/** The expression without parentheses and what only tells the compiler its type. */
export function withoutWrapping(expression: Expression): Expression {
  let inner = expression;
  while (isWrapping(inner)) inner = inner.getExpression();
  return inner;
}

function isWrapping(node: Node) {
  return (
    Node.isParenthesizedExpression(node) ||
    Node.isAsExpression(node) ||
    Node.isSatisfiesExpression(node) ||
    Node.isTypeAssertion(node) ||
    Node.isNonNullExpression(node)
  );
}

/** What a name stands for; by default through imports and exports. */
export function symbolOf(name: Node, { through = true } = {}): TypeSymbol | undefined {
  const parent = name.getParent();
  const symbol = Node.isShorthandPropertyAssignment(parent)
    ? parent.getValueSymbol()
    : name.getSymbol();
  return through && symbol?.isAlias() ? symbol.getAliasedSymbol() : symbol;
}

/** The one declaration of a name; undefined where there is none, or several. */
export function declarationOf(name: Node, { through = true } = {}): Node | undefined {
  const declarations = symbolOf(name, { through })?.getDeclarations() ?? [];
  return declarations.length === 1 ? declarations[0] : undefined;
}
