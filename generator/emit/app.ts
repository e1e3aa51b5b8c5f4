import type { Model } from "../model/model.js";
import { importLines } from "../text/imports.js";
import { print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { array } from "../text/typescript.js";
import { holdsAccounts } from "./accounts.js";
import { type EmittedFile, runtimeImport, runtimeTypes } from "./file.js";
import { definitionName } from "./routes.js";

/** Emits `app.ts`: all resources as one app, for the app's `server.ts` to import. */
export function emitApp(model: Model): EmittedFile {
  const { resources } = model;
  const app = runtimeImport(["createGeneratedApp"]);
  const definitions = array(resources.map(definitionName));
  return {
    path: "generated/app.ts",
    text: render("generated/app.ts", {
      imports: importLines([
        { from: app.from, names: ["type App", "type AppOptions", ...app.names] },
        runtimeTypes(["AppRouteLocals"]),
        runtimeTypes([
          "CheckedHooks",
          "HooksOf",
          "JobInputs",
          "Jobs",
          "PoliciesOf",
          "ResourcesOf",
          "Schedules",
          "Tools",
          "TypesOf",
        ]),
        { from: "./accounts.js", names: holdsAccounts(model) ? ["accountDeletion"] : [] },
        { from: "./descriptors.json", json: "descriptors" },
        { from: "./migrations.json", json: "migrations" },
        ...resources.map((resource) => ({
          from: `./${resource.name}/routes.js`,
          names: [definitionName(resource)],
        })),
      ]),
      resources: print(["const resources = ", definitions, " as const;"], { indent: 0 }),
      holdsAccounts: holdsAccounts(model),
    }),
  };
}
