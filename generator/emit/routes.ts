import type { Action, Resource } from "../model/model.js";
import type { RuntimeSymbol } from "../model/runtime-symbols.js";
import { type Layout, print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { call, object, property, stringLiteral } from "../text/typescript.js";
import { type EmittedFile, preamble, resourceFile, runtimeImport, runtimeTypes } from "./file.js";
import { takesFiles, uploadFields } from "./uploads.js";

const handlers = [
  "listRecords",
  "queryRecords",
  "createRecord",
  "countRecords",
  "aggregateRecords",
  "aggregateByBody",
  "getRecord",
  "updateRecord",
  "replaceRecord",
  "deleteRecord",
] as const satisfies readonly RuntimeSymbol[];

/** `routes.ts`: every endpoint of the resource with who may call it, and its fields that take files. */
export function emitRoutes(resource: Resource): EmittedFile {
  const { name, variable, collection } = resource;
  const runtime = runtimeImport(handlers);
  const line = (key: string, value: Layout) =>
    print(property(key, value), { indent: 4, reserved: 1 });
  const access = (action: Action) => line("access", `${collection}.access.${action}`);
  const path = (suffix: string) => line("path", stringLiteral(`/${name}${suffix}`));
  const handler = (symbol: (typeof handlers)[number], shape: string) =>
    line("handle", call(symbol, [collection, variable + shape]));
  return {
    path: resourceFile(resource, "routes"),
    text: render("generated/routes.ts", {
      preamble: preamble(resource, [
        runtimeTypes(["Route"]),
        { from: runtime.from, names: ["type ResourceDefinition", ...runtime.names] },
        ...(takesFiles(resource) ? [runtimeTypes(["UploadFields"])] : []),
        { from: "./table.js", names: [collection] },
        {
          from: "./validation.js",
          names: ["Create", "Replace", "Update"].map((shape) => variable + shape),
        },
      ]),
      path: `/api/${name}`,
      variable,
      collection,
      shapes: print(property("shapes", shapes(resource)), { indent: 2, reserved: 1 }),
      listPath: path(""),
      queryPath: path("/_query"),
      statsPath: path("/_stats"),
      aggregatePath: path("/_aggregate"),
      recordPath: path("/:id"),
      list: access("list"),
      get: access("get"),
      stats: access("stats"),
      create: access("create"),
      update: access("update"),
      delete: access("delete"),
      createHandler: handler("createRecord", "Create"),
      replaceHandler: handler("replaceRecord", "Replace"),
      updateHandler: handler("updateRecord", "Update"),
      uploads: uploadFields(resource),
    }),
  };
}

/** `productDefinition` */
export function definitionName({ variable }: Resource): string {
  return `${variable}Definition`;
}

function shapes({ variable }: Resource): Layout {
  return object([
    property("create", `${variable}Create`),
    property("replace", `${variable}Replace`),
    property("update", `${variable}Update`),
  ]);
}
