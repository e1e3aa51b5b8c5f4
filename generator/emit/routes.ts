import type { Action, Resource } from "../model/model.js";
import type { RuntimeSymbol } from "../model/runtime-symbols.js";
import { print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { array, call, literal, object, property, stringLiteral } from "../text/typescript.js";
import { type EmittedFile, preamble, resourceFile, runtimeImport, runtimeTypes } from "./file.js";

interface Endpoint {
  readonly method: string;
  readonly suffix: string;
  readonly action: Action;
  readonly handler: RuntimeSymbol;
  /** The body's shape: the end of its name in `validation.ts`. */
  readonly shape?: "Create" | "Replace" | "Update";
}

/** The specification's "Resource endpoints". */
const endpoints: readonly Endpoint[] = [
  { method: "GET", suffix: "", action: "list", handler: "listRecords" },
  { method: "POST", suffix: "", action: "create", handler: "createRecord", shape: "Create" },
  { method: "GET", suffix: "/_stats", action: "stats", handler: "countRecords" },
  { method: "GET", suffix: "/:id", action: "get", handler: "getRecord" },
  { method: "PATCH", suffix: "/:id", action: "update", handler: "updateRecord", shape: "Update" },
  { method: "PUT", suffix: "/:id", action: "update", handler: "replaceRecord", shape: "Replace" },
  { method: "DELETE", suffix: "/:id", action: "delete", handler: "deleteRecord" },
];

/** Handlers that one statement answers. */
const readers: ReadonlySet<RuntimeSymbol> = new Set(["listRecords", "countRecords", "getRecord"]);

/** `routes.ts`: every endpoint of the resource, with who may call it. */
export function emitRoutes(resource: Resource): EmittedFile {
  const { variable, collection } = resource;
  const shapes = endpoints.flatMap(({ shape }) => (shape === undefined ? [] : [variable + shape]));
  const routes = array(
    endpoints.map((endpoint) => route(resource, endpoint)),
    true,
  );
  return {
    path: resourceFile(resource, "routes"),
    text: render("generated/routes.ts", {
      preamble: preamble(resource, [
        runtimeTypes(["Route"]),
        runtimeImport(endpoints.map(({ handler }) => handler)),
        { from: "./queries.js", names: [collection] },
        { from: "./validation.js", names: shapes },
      ]),
      path: `/api/${resource.name}`,
      variable,
      routes: print(routes, { indent: 0, reserved: 1 }),
    }),
  };
}

function route({ name, variable, collection, access }: Resource, endpoint: Endpoint) {
  const { method, suffix, action, handler, shape } = endpoint;
  const args = shape === undefined ? [collection] : [collection, variable + shape];
  return object([
    property("method", stringLiteral(method)),
    property("path", stringLiteral(`/${name}${suffix}`)),
    property("access", literal(access[action])),
    property(readers.has(handler) ? "read" : "handle", call(handler, args)),
  ]);
}
