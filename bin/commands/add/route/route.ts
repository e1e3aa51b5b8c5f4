import { Node, type SourceFile, type Statement, type VariableDeclaration } from "ts-morph";
import { createAppCall } from "../code/create-app.js";
import { memberOf, objectOf } from "../code/literals.js";
import { NotEditable } from "../code/not-editable.js";
import { type OwnCode, placeOf } from "../code/own-code.js";
import { blockStart, statementAround } from "../code/place.js";
import {
  added,
  addedBelow,
  type Edit,
  type FileEdit,
  indentAt,
  intoCall,
  memberEdits,
  type Outcome,
} from "../text/edits.js";
import { importsFor, isTaken } from "../text/imports.js";
import { linesAt, quotedText, type Style, styleOf } from "../text/style.js";
import { callsOf, isSame, routerOf } from "./router.js";

/** Adds a GET route to the app's router, and the router where there is none; `path` is `/reports/daily`, below `/api`. */
export function addRoute(code: OwnCode, path: string): Outcome {
  const call = createAppCall(code);
  const [argument] = call.getArguments();
  if (!Node.isExpression(argument)) {
    return withNewRouter(call, path, (name, style) => [intoCall(call, [member(name)], style)]);
  }
  const options = objectOf(code, argument, true);
  const routes = memberOf(code, options, ["routes"]);
  if (routes !== null) return intoRouter(code, routerOf(code, routes), path);
  return withNewRouter(options.literal, path, (name, style) =>
    memberEdits(options.literal, [member(name)], style),
  );
}

/** The lines of a route whose answer its author has to write. */
export function routeLines(
  router: string,
  path: string,
  style: Pick<Style, "quote" | "indent" | "semicolon">,
): readonly string[] {
  const { indent, semicolon } = style;
  return [
    `${router}.get(${quotedText(path, style)}, (_request, response) => {`,
    `${indent}response.json({ data: [] })${semicolon}`,
    `})${semicolon}`,
  ];
}

function member(name: string): string {
  return name === "routes" ? name : `routes: ${name}`;
}

/** Declares a router directly before what uses it. */
function withNewRouter(
  user: Node,
  path: string,
  use: (name: string, style: Style) => readonly Edit[],
): FileEdit {
  const file = user.getSourceFile();
  const style = styleOf(file);
  const { lineEnd, semicolon } = style;
  const name = ["routes", "ownRoutes", "appRoutes"].find((one) => !isTaken(file, one));
  if (name === undefined) {
    throw new NotEditable("routes, ownRoutes and appRoutes mean something else already");
  }
  const { router, edits } = routerMaker(file, style);
  const text = file.getFullText();
  const start = blockStart(statementAround(user));
  const around = indentAt(text, start);
  const lines = [`const ${name} = ${router}()${semicolon}`, ...routeLines(name, path, style)];
  const block = linesAt(lines, around, style).slice(around.length) + lineEnd + lineEnd + around;
  return {
    path: file.getFilePath(),
    text,
    edits: [...edits, added(start, block), ...use(name, style)],
  };
}

/** What makes a router here, by the import that the file has, or by a new one. */
function routerMaker(file: SourceFile, style: Style): { router: string; edits: readonly Edit[] } {
  for (const declaration of file.getImportDeclarations()) {
    const whole = declaration.getDefaultImport();
    const isExpress = declaration.getModuleSpecifierValue() === "express";
    const hasRouter = declaration.getNamedImports().some((one) => one.getName() === "Router");
    if (isExpress && whole !== undefined && !hasRouter && !declaration.isTypeOnly()) {
      return { router: `${whole.getText()}.Router`, edits: [] };
    }
  }
  const wanted = { module: "express", name: "Router", otherwise: "ExpressRouter", isType: false };
  const { names, edits } = importsFor(file, [wanted], style);
  return { router: names[0] ?? wanted.name, edits };
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
  const style = styleOf(file);
  const text = file.getFullText();
  const place = last?.statement ?? declared;
  const around = indentAt(text, place.getStart());
  const block = linesAt(routeLines(router.getName(), path, style), around, style);
  return { path: file.getFilePath(), text, edits: [addedBelow(place, block, style)] };
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
