import { clientName } from "../../runtime/values/api/client-name.js";
import { accountsTable, type Model, type Resource } from "../model/model.js";
import { isUsuallyKnown } from "../model/needed.js";
import type { RuntimeSymbol } from "../model/runtime-symbols.js";
import { type Import, importLines } from "../text/imports.js";
import { group, indent, type Layout, line, print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { array, generic, property, propertyKey, stringLiteral, union } from "../text/typescript.js";
import { holdsAccounts } from "./accounts.js";
import { type EmittedFile, runtimeImport, runtimeTypes } from "./file.js";
import { definitionName } from "./routes.js";
import { takesFiles, uploadsName } from "./uploads.js";

/** `app.ts`: every resource in one app; what the app's own `server.ts` imports. */
export function emitApp(model: Model): EmittedFile {
  const { resources } = model;
  const app = runtimeImport(["createGeneratedApp"]);
  const routes = array(resources.map(({ variable }) => `...${variable}Routes`));
  const values = valuesTypes(resources);
  const wheres = whereTypes(resources, values);
  const definitions = array(resources.map(definitionName));
  const uploads = array(resources.filter(takesFiles).map(uploadsName));
  return {
    path: "generated/app.ts",
    text: render("generated/app.ts", {
      imports: importLines([
        { from: app.from, names: ["type App", "type AppOptions", ...app.names] },
        runtimeTypes(["OwnRouteLocals"]),
        runtimeTypes([
          "CheckedHooks",
          "Jobs",
          "OwnResources",
          "Schedules",
          "Tools",
          ...(resources.length === 0 ? [] : typesOfResources),
          ...typesOfRelations(resources),
        ]),
        { from: "./accounts.js", names: holdsAccounts(model) ? ["accountDeletion"] : [] },
        { from: "./descriptors.json", json: "descriptors" },
        { from: "./migrations.json", json: "migrations" },
        ...resources.flatMap((resource) => resourceImports(resource, values)),
      ]),
      hasResources: resources.length > 0,
      wheres: resources.map((resource) => whereLines(resource, wheres)),
      clients: resources.map((resource) => clientLine(resource, values, wheres)),
      policies: ownLines("ResourcePolicies", resources, values),
      hooks: ownLines("ResourceHooks", resources, values),
      routes: print(property("routes", routes), { indent: 6, reserved: 1 }),
      uploads: print(property("uploads", uploads), { indent: 6, reserved: 1 }),
      holdsAccounts: holdsAccounts(model),
      definitions: print(property("definitions", definitions), { indent: 6, reserved: 1 }),
    }),
  };
}

const typesOfResources = [
  "JobInputs",
  "RecordWhere",
  "ResourceClient",
  "ResourceHooks",
  "ResourcePolicies",
] as const;

function typesOfRelations(resources: readonly Resource[]): readonly RuntimeSymbol[] {
  const hasInverse = resources.some(({ inverses }) => inverses.length > 0);
  const linksToAccount = resources.some(({ links }) =>
    links.some(({ resource }) => isAccount(resource)),
  );
  return [
    ...(linksToAccount ? (["AccountWhere"] as const) : []),
    ...(hasInverse ? (["InverseWhere"] as const) : []),
  ];
}

function isAccount(resource: string): boolean {
  return resource === accountsTable;
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

/** By resource, the type of what queries compare. */
function whereTypes(
  resources: readonly Resource[],
  values: ValuesTypes,
): ReadonlyMap<string, string> {
  const taken = new Set([...resources.map(({ type }) => type), ...values.values()]);
  return new Map(
    resources.map(({ name, type }) => {
      const where = freeName(`${type}Where`, taken);
      taken.add(where);
      return [name, where];
    }),
  );
}

/** The interface of what queries compare: the record's fields, and the records that it links to. */
function whereLines(
  { name, type, links, inverses }: Resource,
  wheres: ReadonlyMap<string, string>,
): string {
  const own = wheres.get(name) ?? "";
  const of = (resource: string) => wheres.get(resource) ?? "AccountWhere";
  const members = [
    ...links.map((link) => `  readonly ${propertyKey(link.name)}?: ${of(link.resource)};`),
    ...inverses.map(
      (inverse) =>
        `  readonly ${propertyKey(inverse.name)}?: InverseWhere<${of(inverse.resource)}>;`,
    ),
  ];
  const base = ["extends ", generic("RecordWhere", [type, own])];
  const head = print(group(`export interface ${own}`, indent(line, ...base), " {"), {
    indent: 0,
    reserved: members.length === 0 ? 1 : 0,
  });
  return members.length === 0 ? `${head}}` : [head, ...members, "}"].join("\n");
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
      names: [
        definitionName(resource),
        `${variable}Routes`,
        ...(takesFiles(resource) ? [uploadsName(resource)] : []),
      ],
    },
    { from: `./${name}/types.js`, names: [type, imported], typeOnly: true },
  ];
}

/** Each resource by its name, and by that among `app.resources` where it is another. */
function ownLines(
  kind: "ResourcePolicies" | "ResourceHooks",
  resources: readonly Resource[],
  values: ValuesTypes,
): readonly string[] {
  const taken = new Set(resources.map(({ name }) => name));
  return resources.flatMap(({ name, type }) => {
    const own = generic(kind, [type, values.get(type) ?? "", "Resources", "Inputs"]);
    const client = clientName(name);
    const keys = taken.has(client) ? [name] : [name, client];
    return keys.map((key) => print([`readonly ${propertyKey(key)}?: `, own, ";"], { indent: 2 }));
  });
}

function clientLine(
  resource: Resource,
  values: ValuesTypes,
  wheres: ReadonlyMap<string, string>,
): string {
  const { name, type, fields } = resource;
  const types: Layout[] = [type, values.get(type) ?? "", wheres.get(name) ?? ""];
  const defaulted = fields
    .filter((field) => isUsuallyKnown(resource, field))
    .map((field) => stringLiteral(field.name));
  if (defaulted.length > 0) {
    types.push(union(defaulted));
  }
  const client = generic("ResourceClient", types);
  return print([`readonly ${propertyKey(clientName(name))}: `, client, ";"], { indent: 2 });
}
