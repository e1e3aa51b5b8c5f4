import { Node, type SourceFile, type Statement, type VariableDeclaration } from "ts-morph";
import { createAppOptions } from "../code/create-app.js";
import { type Imports, importsOf, isTaken } from "../code/imports.js";
import { memberOf } from "../code/literals.js";
import { addName } from "../code/members.js";
import { NotEditable } from "../code/not-editable.js";
import { type Outcome, type OwnCode, placeOf } from "../code/own-code.js";
import { commentedStart, statementAround } from "../code/statements.js";
import { type Style, writeLike } from "../code/style.js";
import { callsOf, isSame, routerOf } from "./router.js";

/** Adds a GET route to the app's router, and the router where there is none; `path` is `/reports/daily`, below `/api`. */
export function addRoute(code: OwnCode, path: string): Outcome {
  const { literal } = createAppOptions(code);
  const routes = memberOf(code, { literal, isTyped: true }, ["routes"]);
  if (routes !== null) return intoRouter(code, routerOf(code, routes), path);
  const file = literal.getSourceFile();
  const style = writeLike(file);
  const name = ["routes", "ownRoutes", "appRoutes"].find((one) => !isTaken(file, one));
  if (name === undefined) {
    throw new NotEditable("routes, ownRoutes and appRoutes mean something else already");
  }
  const imports = importsOf(file, style);
  const made = `const ${name} = ${routerMaker(file, imports)}()${style.semicolon}`;
  const statement = statementAround(literal);
  const around = statement.getIndentationText();
  const at = commentedStart(statement);
  const lines = [made, ...routeLines(name, path, style)].join(style.lineEnd + around);
  addName(literal, name, style);
  file.insertText(at, lines + style.lineEnd + style.lineEnd + around);
  imports.write();
  return { file };
}

/** The lines of a route whose answer its author has to write. */
export function routeLines(
  router: string,
  path: string,
  { quote, indent, semicolon }: Style,
): readonly string[] {
  return [
    `${router}.get(${quote}${path}${quote}, (_request, response) => {`,
    `${indent}response.json({ data: [] })${semicolon}`,
    `})${semicolon}`,
  ];
}

/** What makes a router here, by the import that the file has, or by a new one. */
function routerMaker(file: SourceFile, imports: Imports): string {
  for (const declaration of file.getImportDeclarations()) {
    const whole = declaration.getDefaultImport();
    const isExpress = declaration.getModuleSpecifierValue() === "express";
    const hasRouter = declaration.getNamedImports().some((one) => one.getName() === "Router");
    if (isExpress && whole !== undefined && !hasRouter && !declaration.isTypeOnly()) {
      return `${whole.getText()}.Router`;
    }
  }
  const wanted = { module: "express", name: "Router", otherwise: "ExpressRouter", isType: false };
  return imports.nameOf(wanted);
}

function intoRouter(code: OwnCode, router: VariableDeclaration, path: string): Outcome {
  const calls = callsOf(code, router);
  const same = calls.find((one) => isSame(one, path));
  if (same !== undefined) return { there: placeOf(code.root, same.call) };
  const declared = statementAround(router);
  const beside = calls.flatMap(({ call, method }) => {
    const statement = call.getParent();
    const isBeside =
      Node.isExpressionStatement(statement) && statement.getParent() === declared.getParent();
    return isBeside ? [{ statement, method }] : [];
  });
  // What is used for all paths, such as a last handler, may have to stay behind the routes.
  const last = beside.findLast(({ method }) => method !== "use") ?? firstUses(declared, beside);
  const file = router.getSourceFile();
  const style = writeLike(file);
  const place = last?.statement ?? declared;
  const before = style.lineEnd + place.getIndentationText();
  const lines = routeLines(router.getName(), path, style).map((line) => before + line);
  file.insertText(place.getTrailingTriviaEnd(), lines.join(""));
  return { file };
}

/** The last of the uses that follow the declaration directly: `routes.use(express.json())`. */
function firstUses<T extends { readonly statement: Statement }>(
  declared: Statement,
  uses: readonly T[],
): T | undefined {
  let last: T | undefined;
  for (let next = declared.getNextSibling(); next !== undefined; next = next.getNextSibling()) {
    const use = uses.find(({ statement }) => statement === next);
    if (use === undefined) return last;
    last = use;
  }
  return last;
}
