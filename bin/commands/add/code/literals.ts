import {
  type Expression,
  type Identifier,
  Node,
  type ObjectLiteralExpression,
  SyntaxKind,
  type TypeNode,
  type VariableDeclaration,
  VariableDeclarationKind,
} from "ts-morph";
import { NotEditable } from "./not-editable.js";
import { type OwnCode, placeOf } from "./own-code.js";
import { declarationOf, symbolOf, withoutWrapping } from "./symbols.js";

/** An object that is written out in the code. */
export interface WrittenObject {
  readonly literal: ObjectLiteralExpression;
  /** Whether the compiler knows the type that is wanted here, and so those of parameters within. */
  readonly isTyped: boolean;
}

/** A member of an object, with the object in which it is written. */
export interface Member {
  readonly node: Node;
  /** Null for a method. */
  readonly value: Expression | null;
  readonly isTyped: boolean;
}

/** Names may lead to names; a circle of them ends here. */
const maxSteps = 20;

/** The object that an expression is; refuses one that cannot be followed to where it is written. */
export function objectOf(
  code: OwnCode,
  expression: Expression,
  isTyped: boolean,
  step = 0,
): WrittenObject {
  if (step > maxSteps) throw unclear(code, expression, "goes round in a circle");
  const inner = withoutWrapping(expression);
  const knows = isTyped || hasTypeBeside(expression, inner);
  if (Node.isObjectLiteralExpression(inner)) return { literal: inner, isTyped: knows };
  if (Node.isIdentifier(inner)) {
    const value = constantOf(code, inner);
    return objectOf(code, value.expression, value.isTyped, step + 1);
  }
  if (Node.isPropertyAccessExpression(inner)) {
    const name = inner.getNameNode();
    if (Node.isVariableDeclaration(declarationOf(name)) && Node.isIdentifier(name)) {
      const value = constantOf(code, name);
      return objectOf(code, value.expression, value.isTyped, step + 1);
    }
    const whole = objectOf(code, inner.getExpression(), false, step + 1);
    const member = memberOf(code, whole, [inner.getName()]);
    if (member?.value) return objectOf(code, member.value, member.isTyped, step + 1);
  }
  throw unclear(code, inner, "is not an object that is written out");
}

/** A type from which the compiler knows those of parameters; any other one, such as `const` or `object`, may hide them. */
function namesFunctions(type: TypeNode): boolean {
  const known = /\b(?:AppOptions|Hooks|Policies|ResourceHooks|ResourcePolicies|typeof createApp)\b/;
  return known.test(type.getText());
}

/** `{ … } satisfies Hooks`, `{ … } as Hooks` */
function hasTypeBeside(outer: Expression, inner: Expression): boolean {
  for (let node: Node | undefined = inner; node !== undefined; node = node.getParent()) {
    const type =
      Node.isSatisfiesExpression(node) || Node.isAsExpression(node)
        ? node.getTypeNode()
        : undefined;
    if (type !== undefined && namesFunctions(type)) return true;
    if (node === outer) return false;
  }
  return false;
}

/**
 * The member of that name (or one of these, where several mean the same); null where there is none. Refuses an object
 * of which that cannot be said.
 */
export function memberOf(
  code: OwnCode,
  { literal, isTyped }: WrittenObject,
  names: readonly string[],
): Member | null {
  // What stands later takes the place of what stands before.
  for (const node of literal.getProperties().toReversed()) {
    if (Node.isSpreadAssignment(node)) {
      const spread = objectOf(code, node.getExpression(), isTyped);
      const found = memberOf(code, spread, names);
      if (found !== null) return found;
      continue;
    }
    const name = nameOf(node.getNameNode());
    if (name === null) throw unclear(code, node, "has a computed name");
    if (!names.includes(name)) continue;
    if (Node.isPropertyAssignment(node)) {
      return { node, value: node.getInitializerOrThrow(), isTyped };
    }
    if (Node.isShorthandPropertyAssignment(node)) {
      return { node, value: node.getNameNode(), isTyped };
    }
    return { node, value: null, isTyped };
  }
  return null;
}

/** The object that a member holds. */
export function valueIn(code: OwnCode, { node, value, isTyped }: Member): WrittenObject {
  if (value === null) throw unclear(code, node, "is not an object that is written out");
  return objectOf(code, value, isTyped);
}

function nameOf(node: Node): string | null {
  if (Node.isIdentifier(node)) return node.getText();
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) {
    return node.getLiteralText();
  }
  if (Node.isNumericLiteral(node)) return node.getText();
  return Node.isComputedPropertyName(node) ? nameOfComputed(node.getExpression()) : null;
}

function nameOfComputed(expression: Expression): string | null {
  return Node.isIdentifier(expression) ? null : nameOf(expression);
}

/** What a constant holds that has one place in the app. */
function constantOf(code: OwnCode, name: Identifier) {
  const declaration = declarationOf(name);
  if (Node.isExportAssignment(declaration)) {
    return { expression: declaration.getExpression(), isTyped: false };
  }
  const value = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
  if (!Node.isVariableDeclaration(declaration) || value === undefined) {
    throw unclear(code, name, "is not a constant of the app that is written out");
  }
  if (declaration.getVariableStatement()?.getDeclarationKind() !== VariableDeclarationKind.Const) {
    throw unclear(code, declaration, "is not a const, so it may be replaced");
  }
  requireOneUse(code, declaration);
  const type = declaration.getTypeNode();
  return { expression: value, isTyped: type !== undefined && namesFunctions(type) };
}

/** Refuses an object that is changed elsewhere, or is used in two places: what is added there would count twice. */
function requireOneUse(code: OwnCode, declaration: VariableDeclaration): void {
  const own = symbolOf(declaration.getNameNode())?.compilerSymbol;
  const uses = code.files
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.Identifier))
    .filter((one) => !isNaming(one) && symbolOf(one)?.compilerSymbol === own);
  let passed = 0;
  for (const use of uses) {
    const access = accessFrom(use);
    if (isChanged(access)) throw unclear(code, access, "is changed here");
    if (access === use) passed += 1;
    if (passed > 1) throw unclear(code, use, "is used a second time here");
  }
}

/** Whether the name is only declared, imported, exported or asked for its type here. */
function isNaming(name: Identifier): boolean {
  const parent = name.getParent();
  return (
    Node.isImportSpecifier(parent) ||
    Node.isExportSpecifier(parent) ||
    Node.isImportClause(parent) ||
    Node.isNamespaceImport(parent) ||
    Node.isExportAssignment(parent) ||
    Node.isTypeQuery(parent) ||
    (Node.isVariableDeclaration(parent) && parent.getNameNode() === name)
  );
}

/** `hooks.products.beforeCreate` from `hooks`, and `own.hooks` from the `hooks` in it; without either the name itself. */
function accessFrom(name: Identifier): Node {
  let node: Node = name;
  for (let parent = node.getParent(); parent !== undefined; parent = node.getParent()) {
    const isOuter =
      (Node.isPropertyAccessExpression(parent) || Node.isElementAccessExpression(parent)) &&
      parent.getExpression() === node;
    if (!isOuter) return node;
    node = parent;
  }
  return node;
}

function isChanged(access: Node): boolean {
  const parent = access.getParent();
  if (Node.isDeleteExpression(parent)) return true;
  if (!Node.isBinaryExpression(parent) || parent.getLeft() !== access) return false;
  const operator = parent.getOperatorToken().getKind();
  return operator >= SyntaxKind.FirstAssignment && operator <= SyntaxKind.LastAssignment;
}

function unclear(code: OwnCode, node: Node, why: string): NotEditable {
  const text = node.getText().replace(/\s+/g, " ");
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new NotEditable(`${placeOf(code.root, node)}: ${shown} ${why}`);
}
