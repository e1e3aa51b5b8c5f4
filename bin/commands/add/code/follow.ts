import {
  Node,
  type ObjectLiteralExpression,
  type Project,
  SyntaxKind,
  ts,
  type VariableDeclaration,
  VariableDeclarationKind,
} from "ts-morph";
import { isTheirs, NotEditable, pathOf, placeOf } from "./project.js";

/**
 * Returns the object passed to the app's only call of `createApp`. Adds an empty object, in memory, to a call without
 * arguments.
 */
export function createAppOptions(project: Project): ObjectLiteralExpression {
  const [error] = project.getProgram().getSyntacticDiagnostics();
  if (error !== undefined) {
    const { line, column } = error.getSourceFile().getLineAndColumnAtPos(error.getStart());
    const text = ts.flattenDiagnosticMessageText(error.compilerObject.messageText, " ");
    throw new NotEditable(`${pathOf(error.getSourceFile())}:${line}:${column}: ${text}`);
  }
  const calls = project
    .getSourceFiles()
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.CallExpression))
    .filter((one) => isTheirs(one.getExpression(), "createApp"));
  const [call] = calls;
  if (call === undefined) throw new NotEditable(noCall);
  if (calls.length > 1) {
    throw new NotEditable(
      `createApp is called more than once: ${calls.map(placeOf).join(" and ")}`,
    );
  }
  return objectOf(call.getArguments()[0] ?? call.addArgument("{}"));
}

const noCall = "Neither server.ts nor any file it imports calls createApp from ./generated/app.js";

/** Returns the object literal that a node is or refers to. Throws `NotEditable` if its definition cannot be found. */
export function objectOf(node: Node, steps = 50): ObjectLiteralExpression {
  if (Node.isObjectLiteralExpression(node)) return node;
  // Names may refer to each other in a cycle.
  const next = steps > 0 ? nextOf(node) : undefined;
  if (next === undefined) throw unclear(node, "is not an object literal");
  if (Node.isVariableDeclaration(next)) requireOneUse(next);
  return objectOf(next, steps - 1);
}

/** What a node refers to: the declaration of a name, or the value inside a type assertion. */
export function nextOf(node: Node): Node | undefined {
  if (Node.isExpressioned(node) || Node.isTypeAssertion(node)) return node.getExpression();
  if (Node.isVariableDeclaration(node) || Node.isPropertyAssignment(node)) {
    return node.getInitializer();
  }
  const isShort = Node.isShorthandPropertyAssignment(node);
  const symbol = isShort ? node.getValueSymbol() : node.getSymbol();
  const [declared, second] = (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [];
  if (Node.isExportAssignment(declared)) return declared;
  if (Node.isVariableDeclaration(declared) && second === undefined) {
    const kind = declared.getVariableStatement()?.getDeclarationKind();
    if (kind === VariableDeclarationKind.Const) return declared;
    throw unclear(declared, "is not a const, so it may be reassigned");
  }
  if (Node.isPropertyAccessExpression(node)) {
    return memberOf(objectOf(node.getExpression()), [node.getName()]);
  }
  if (!isShort && !Node.isIdentifier(node)) return undefined;
  throw unclear(node, "is not a constant of the app with a literal value");
}

/**
 * Returns the object's member with any of these equivalent names. Throws `NotEditable` if the members cannot be
 * determined.
 */
export function memberOf(
  object: ObjectLiteralExpression,
  names: readonly string[],
): Node | undefined {
  // Later members override earlier ones.
  for (const node of object.getProperties().toReversed()) {
    const name = node.getSymbol()?.getName() ?? "";
    if (names.includes(name)) return node;
    if (name === "__computed") throw unclear(node, "has a computed name");
    const found = Node.isSpreadAssignment(node) ? memberOf(objectOf(node), names) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Throws `NotEditable` for a variable that is modified elsewhere or used twice: an addition to it would also affect the
 * second use.
 */
function requireOneUse(declaration: VariableDeclaration): void {
  let passed = 0;
  for (const use of declaration.findReferencesAsNodes()) {
    const parent = use.getParentOrThrow();
    if (parent === declaration || naming.test(parent.getKindName())) continue;
    const access = use.getParentWhile(isAccess) ?? use;
    if (isChanged(access)) throw unclear(access, "is modified here");
    if (access === use) passed += 1;
    if (passed > 1) throw unclear(use, "is used a second time here");
  }
}

/** Kinds of nodes that import or export a name, or refer to its type. */
const naming = /^(Import|NamespaceImport|Export|TypeQuery|Qualified)/;

/** Whether the parent accesses a member of the node, as `hooks.products` does of `hooks`. */
function isAccess(parent: Node, node: Node): boolean {
  const isMember =
    Node.isPropertyAccessExpression(parent) || Node.isElementAccessExpression(parent);
  return isMember && parent.getExpression() === node;
}

function isChanged(access: Node): boolean {
  const parent = access.getParent();
  if (!Node.isBinaryExpression(parent)) return Node.isDeleteExpression(parent);
  const operator = parent.getOperatorToken().getText();
  return parent.getLeft() === access && /^[^=!<>]*=$/.test(operator);
}

function unclear(node: Node, why: string): NotEditable {
  const text = node.getText().replace(/\s+/g, " ");
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new NotEditable(`${placeOf(node)}: ${shown} ${why}`);
}
