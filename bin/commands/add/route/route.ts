import {
  type CallExpression,
  Node,
  type ObjectLiteralExpression,
  type Project,
  type VariableDeclaration,
} from "ts-morph";
import { createAppOptions, memberOf, nextOf } from "../code/follow.js";
import { isTheirs, NotEditable, placeOf } from "../code/project.js";
import { addName } from "../write/members.js";
import {
  addImport,
  importFor,
  insertAbove,
  insertBelow,
  isTaken,
  statementAround,
} from "../write/statements.js";
import { writeLike } from "../write/style.js";

/**
 * Adds a GET route to the app's router, which is created if needed; `path` is relative to `/api`, such as
 * `/reports/daily`.
 */
export function addRoute(project: Project, path: string) {
  const object = createAppOptions(project);
  const member = memberOf(object, ["routes"]);
  if (member === undefined) return addRouter(object, path);
  const router = routerOf(member);
  const calls = callsOf(router);
  const there = calls.find((one) => isSame(one, path));
  if (there !== undefined) return { there };
  const file = router.getSourceFile();
  const last = lastOf(router, calls);
  insertBelow(last, writeLike(file).like(routeText(router.getName(), path)));
  return file;
}

/** Returns the code of a router with one route, whose response the author fills in, formatted as `init` does. */
export function routerText(name: string, maker: string, path: string): string {
  return `const ${name} = ${maker}();${routeText(name, path)}`;
}

function routeText(router: string, path: string): string {
  return `\n${router}.get("${path}", (_request, response) => {\n  response.json({ data: [] });\n});`;
}

function addRouter(object: ObjectLiteralExpression, path: string) {
  const file = object.getSourceFile();
  const style = writeLike(file);
  const name = ["routes", "ownRoutes", "appRoutes"].find((one) => !isTaken(object, one));
  if (name === undefined) {
    throw new NotEditable("the names routes, ownRoutes and appRoutes are all in use");
  }
  const wanted = { module: "express", name: "Router", isType: false };
  const maker = importFor(object, wanted, "ExpressRouter");
  const statement = statementAround(object);
  addName(object, name, style);
  insertAbove(statement, style.like(`${routerText(name, maker.local, path)}\n\n`));
  addImport(file, maker, style);
  return file;
}

function routerOf(member: Node): VariableDeclaration {
  let node: Node | undefined = member;
  while (node !== undefined && !Node.isVariableDeclaration(node)) node = nextOf(node);
  const made = node?.getInitializer();
  const isRouter = Node.isCallExpression(made) && isTheirs(made.getExpression(), "Router");
  if (isRouter && node !== undefined) return node;
  throw new NotEditable(`${placeOf(member)}: routes is not a constant initialized with Router()`);
}

/** Returns the calls of `routes.get(…)`, `routes.use(…)` and similar anywhere in app code. */
function callsOf(router: VariableDeclaration): readonly CallExpression[] {
  return router.findReferencesAsNodes().flatMap((name) => {
    const method = name.getParent();
    const call = method?.getParent();
    return Node.isCallExpression(call) && call.getExpression() === method ? [call] : [];
  });
}

function methodOf(call: CallExpression): string | undefined {
  return call.getExpression().getLastChild()?.getText();
}

/** Whether the call defines a GET route of that path, also in the form `routes.route("/a").get(…)`. */
function isSame(call: CallExpression, path: string): boolean {
  const [first] = call.getArguments();
  const paths = Node.isArrayLiteralExpression(first) ? first.getElements() : [first];
  const isPath = paths.some(
    (one) => Node.isLiteralLike(one) && one.getLiteralText().replace(/(?<=.)\/$/, "") === path,
  );
  const chain = methodOf(call) === "route" ? call.getAncestors() : [];
  const methods = [call, ...chain.filter(Node.isCallExpression)].map(methodOf);
  return isPath && methods.some((one) => one === "get" || one === "all");
}

/** The statement after which another route is added. */
function lastOf(router: VariableDeclaration, calls: readonly CallExpression[]): Node {
  let last = statementAround(router);
  let isFirst = true;
  for (const next of last.getNextSiblings()) {
    const call = calls.find((one) => one.getParent() === next);
    const isUse = call !== undefined && methodOf(call) === "use";
    isFirst &&= isUse;
    // A catch-all handler at the end may have to stay after the routes.
    if (call !== undefined && (isFirst || !isUse)) last = next;
  }
  return last;
}
