import { type CallExpression, type Expression, Node, SyntaxKind, type ts } from "ts-morph";
import { NotEditable } from "./not-editable.js";
import { isGenerated, type OwnCode, placeOf } from "./own-code.js";
import { declarationOf, withoutWrapping } from "./symbols.js";

/** The one call of `createApp` in the app's own code. */
export function createAppCall(code: OwnCode): CallExpression {
  const calls = code.files.flatMap((file) =>
    file
      .getDescendantsOfKind(SyntaxKind.CallExpression)
      .filter((call) => isCreateApp(code.root, call.getExpression(), 0)),
  );
  const [call, second] = calls;
  if (call === undefined) {
    throw new NotEditable(
      "Neither server.ts nor what it imports calls createApp of ./generated/app.js",
    );
  }
  if (second !== undefined) {
    const places = calls.map((one) => placeOf(code.root, one)).join(" and ");
    throw new NotEditable(`createApp is called more than once: ${places}`);
  }
  return call;
}

/** A name may stand for another one, and that one for a third: how long a chain is followed. */
const maxSteps = 20;

function isCreateApp(root: string, written: Expression, step: number): boolean {
  const expression = withoutWrapping(written);
  if (step > maxSteps) return false;
  if (Node.isPropertyAccessExpression(expression)) {
    return expression.getName() === "createApp" && isModule(root, expression.getExpression());
  }
  if (!Node.isIdentifier(expression)) return false;
  for (const declaration of aliases(expression)) {
    if (isImported(root, declaration)) return true;
    if (Node.isVariableDeclaration(declaration)) {
      const value = declaration.getInitializer();
      return value !== undefined && isCreateApp(root, value, step + 1);
    }
    if (Node.isBindingElement(declaration)) return isTakenOut(root, declaration);
  }
  return false;
}

/** What a name stands for: its import, what that exports, and so on. */
function aliases(name: Node): readonly Node[] {
  const found: Node[] = [];
  let symbol = name.getSymbol();
  for (let step = 0; symbol !== undefined && step < maxSteps; step++) {
    found.push(...symbol.getDeclarations());
    symbol = symbol.isAlias() ? symbol.getImmediatelyAliasedSymbol() : undefined;
  }
  return found;
}

function isImported(root: string, declaration: Node): boolean {
  if (!Node.isImportSpecifier(declaration) && !Node.isExportSpecifier(declaration)) return false;
  const from = Node.isImportSpecifier(declaration)
    ? declaration.getImportDeclaration().getModuleSpecifierValue()
    : declaration.getExportDeclaration().getModuleSpecifierValue();
  const isNamed = declaration.getNameNode().getText() === "createApp";
  return isNamed && from !== undefined && isGeneratedApp(root, declaration, from);
}

/** `import * as generated from "./generated/app.js"` */
function isModule(root: string, expression: Expression): boolean {
  const declaration = declarationOf(withoutWrapping(expression), { through: false });
  if (!Node.isNamespaceImport(declaration)) return false;
  const from = declaration.getFirstAncestorByKind(SyntaxKind.ImportDeclaration);
  return from !== undefined && isGeneratedApp(root, declaration, from.getModuleSpecifierValue());
}

/** `const { createApp } = await import("./generated/app.js")` */
function isTakenOut(root: string, element: Node<ts.BindingElement>): boolean {
  if (!Node.isBindingElement(element)) return false;
  const name = element.getPropertyNameNode()?.getText() ?? element.getName();
  const value = element.getFirstAncestorByKind(SyntaxKind.VariableDeclaration)?.getInitializer();
  if (name !== "createApp" || !Node.isAwaitExpression(value)) return false;
  const call = value.getExpression();
  if (!Node.isCallExpression(call) || call.getExpression().getKind() !== SyntaxKind.ImportKeyword) {
    return false;
  }
  const [from] = call.getArguments();
  return Node.isStringLiteral(from) && isGeneratedApp(root, from, from.getLiteralValue());
}

function isGeneratedApp(root: string, node: Node, specifier: string): boolean {
  return isGenerated(root, node.getSourceFile(), specifier, "app");
}
