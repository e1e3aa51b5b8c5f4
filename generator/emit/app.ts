import type { Model, Resource } from "../model/model.js";
import { moduleOf } from "../model/runtime-symbols.js";
import { type Import, importLines } from "../text/imports.js";
import { group, indent, join, line, print, softline } from "../text/layout.js";
import { render } from "../text/templates.js";
import { array, property, propertyKey } from "../text/typescript.js";
import { type EmittedFile, runtimeImport } from "./file.js";
import { takesFiles, uploadsName } from "./uploads.js";

/** `app.ts`: every resource in one app; what the app's own `server.ts` imports. */
export function emitApp({ resources }: Model): EmittedFile {
  const app = runtimeImport(["createGeneratedApp"]);
  const routes = array(resources.map(({ variable }) => `...${variable}Routes`));
  const values = valuesTypes(resources);
  const uploads = array(resources.filter(takesFiles).map(uploadsName));
  return {
    path: "generated/app.ts",
    text: render("generated/app.ts", {
      imports: importLines([
        { from: app.from, names: ["type App", "type AppOptions", ...app.names] },
        {
          from: moduleOf("ResourcePolicies"),
          names: resources.length === 0 ? [] : ["ResourcePolicies"],
          typeOnly: true,
        },
        { from: "./descriptors.json", json: "descriptors" },
        ...resources.flatMap((resource) => resourceImports(resource, values)),
      ]),
      hasResources: resources.length > 0,
      policies: resources.map((resource) => policyLine(resource, values)),
      routes: print(property("routes", routes), { indent: 6, reserved: 1 }),
      uploads: print(property("uploads", uploads), { indent: 6, reserved: 1 }),
    }),
  };
}

/** From a record's type to the name of its values' type in `app.ts`: a resource may have the usual name. */
type ValuesTypes = ReadonlyMap<string, string>;

function valuesTypes(resources: readonly Resource[]): ValuesTypes {
  const types = resources.map(({ type }) => type);
  const taken = new Set(types);
  return new Map(
    types.map((type) => {
      const name = freeName(`${type}Values`, taken);
      taken.add(name);
      return [type, name];
    }),
  );
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`Stored${name}`, taken) : name;
}

function resourceImports(resource: Resource, values: ValuesTypes): Import[] {
  const { name, variable, type } = resource;
  const own = `${type}Values`;
  const local = values.get(type) ?? own;
  const imported = local === own ? own : `${own} as ${local}`;
  return [
    {
      from: `./${name}/routes.js`,
      names: [`${variable}Routes`, ...(takesFiles(resource) ? [uploadsName(resource)] : [])],
    },
    { from: `./${name}/types.js`, names: [type, imported], typeOnly: true },
  ];
}

function policyLine({ name, type }: Resource, values: ValuesTypes): string {
  const types = join([",", line], [type, values.get(type) ?? ""]);
  const policies = group("ResourcePolicies<", indent(softline, types), softline, ">");
  return print([`readonly ${propertyKey(name)}?: `, policies, ";"], { indent: 2 });
}
