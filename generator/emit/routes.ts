import type { Resource } from "../model/model.js";
import { type Layout, print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { object, property } from "../text/typescript.js";
import { type EmittedFile, preamble, resourceFile, runtimeTypes } from "./file.js";
import { uploads } from "./uploads.js";

/** Emits `routes.ts`: every endpoint of the resource with the action whose rule applies, and its file fields. */
export function emitRoutes(resource: Resource): EmittedFile {
  const { name, variable, collection, trash } = resource;
  const shown = (layout: Layout) => print(layout, { indent: 2, reserved: 1 });
  return {
    path: resourceFile(resource, "routes"),
    text: render("generated/routes.ts", {
      preamble: preamble(resource, [
        runtimeTypes(["GeneratedResource"]),
        { from: "service-runtime/resource", all: "resource", isValue: true },
        { from: "./table.js", names: [`${collection} as table`] },
        {
          from: "./validation.js",
          names: ["Create", "Replace", "Update"].map((shape) => variable + shape),
        },
      ]),
      path: `/api/${name}`,
      variable,
      restored:
        trash === null ? [] : ['["POST", "/:id/_restore", "delete", resource.restoreRecord],'],
      shapes: shown(property("shapes", shapes(resource))),
      uploads: uploads(resource).map(shown),
    }),
  };
}

/** Returns a name such as `productDefinition`. */
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
