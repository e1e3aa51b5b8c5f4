import {
  type CallExpression,
  type Identifier,
  Node,
  SyntaxKind,
  type VariableDeclaration,
  VariableDeclarationKind,
} from "ts-morph";
import type { Member } from "../code/literals.js";
import { NotEditable } from "../code/not-editable.js";
import { type OwnCode, placeOf } from "../code/own-code.js";
import { declarationOf, symbolOf, withoutWrapping } from "../code/symbols.js";

/** The constant that holds the app's router. */
export function routerOf(code: OwnCode, { node, value }: Member): VariableDeclaration {
  let declaration = value === null ? undefined : declarationOf(withoutWrapping(value));
  if (Node.isExportAssignment(declaration)) {
    declaration = declarationOf(withoutWrapping(declaration.getExpression()));
  }
  const isConst =
    Node.isVariableDeclaration(declaration) &&
    declaration.getVariableStatement()?.getDeclarationKind() === VariableDeclarationKind.Const;
  if (isConst && Node.isVariableDeclaration(declaration) && isNewRouter(declaration)) {
    return declaration;
  }
  throw new NotEditable(
    `${placeOf(code.root, node)}: routes is not a constant with a new Router()`,
  );
}

/** `Router()` or `express.Router()` */
function isNewRouter(declaration: VariableDeclaration): boolean {
  const value = declaration.getInitializer();
  if (!Node.isCallExpression(value)) return false;
  const made = value.getExpression();
  if (Node.isPropertyAccessExpression(made)) {
    return made.getName() === "Router" && isFromExpress(made.getExpression());
  }
  return isFromExpress(made);
}

function isFromExpress(node: Node): boolean {
  const declaration = declarationOf(node, { through: false });
  const from = declaration?.getFirstAncestorByKind(SyntaxKind.ImportDeclaration);
  const isRouter = !Node.isImportSpecifier(declaration) || declaration.getName() === "Router";
  return isRouter && from?.getModuleSpecifierValue() === "express";
}

interface RouterCall {
  readonly call: CallExpression;
  /** The name of the router there. */
  readonly method: string;
}

/** `routes.get(…)`, `routes.use(…)` and the like, wherever in the app's own code. */
export function callsOf(code: OwnCode, router: VariableDeclaration): readonly RouterCall[] {
  const own = symbolOf(router.getNameNode())?.compilerSymbol;
  const isOwn = (name: Identifier) => symbolOf(name)?.compilerSymbol === own;
  return code.files.flatMap((file) =>
    file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((call): readonly RouterCall[] => {
      const method = call.getExpression();
      if (!Node.isPropertyAccessExpression(method)) return [];
      const name = method.getExpression();
      return Node.isIdentifier(name) && isOwn(name) ? [{ call, method: method.getName() }] : [];
    }),
  );
}

/** Whether the call makes a GET route of that path. */
export function isSame({ call, method }: RouterCall, path: string): boolean {
  const [first] = call.getArguments();
  const paths = Node.isArrayLiteralExpression(first) ? first.getElements() : [first];
  const isPath = paths.some((one) => {
    const isText = Node.isStringLiteral(one) || Node.isNoSubstitutionTemplateLiteral(one);
    return isText && one.getLiteralText().replace(/(?<=.)\/$/, "") === path;
  });
  return isPath && (method === "get" || method === "all" || isRouteWithGet(call, method));
}

/** `routes.route("/a").get(…)` */
function isRouteWithGet(call: CallExpression, method: string): boolean {
  if (method !== "route") return false;
  const names: string[] = [];
  for (let node: Node | undefined = call.getParent(); ; node = node.getParent()) {
    if (Node.isPropertyAccessExpression(node)) names.push(node.getName());
    else if (!Node.isCallExpression(node)) return names.some((one) => /^(get|all)$/.test(one));
  }
}
