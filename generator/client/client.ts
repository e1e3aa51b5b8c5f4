import type { EmittedFile } from "../emit/file.js";
import { isFile } from "../kind/kinds.js";
import { type Model, type Resource, severalOf } from "../model/model.js";
import { exportLines, importLines } from "../text/imports.js";
import { print } from "../text/layout.js";
import { plainFile, render } from "../text/templates.js";
import { literal, property, propertyKey, tallObject } from "../text/typescript.js";
import { type Named, namedResources, usesJson } from "./named.js";
import { emitResource } from "./resource.js";

/** The first line of files generated from all resources. */
export const header =
  "// Generated from resources/ by `service generate`: edit the descriptors, not this file.";

/** Emits `client/`, a client for browsers and Node without other dependencies, and `client.ts`, which exports it. */
export function emitClient(model: Model): readonly EmittedFile[] {
  const all = namedResources(model);
  const byName = new Map(all.map((named) => [named.resource.name, named]));
  return [
    { path: "generated/client.ts", text: render("generated/client.ts", { header }) },
    emitIndex(all, model),
    emitPlain("runtime"),
    emitPlain("resumable"),
    ...(usesJson(model) ? [emitPlain("json")] : []),
    ...all.map((named) => emitResource(named, (name) => byName.get(name) ?? null)),
  ];
}

/** Emits a file of `client/` that is the same in every app. */
export function emitPlain(name: "runtime" | "resumable" | "stream" | "json"): EmittedFile {
  const path = `generated/client/${name}.ts`;
  return { path, text: plainFile(path) };
}

function emitIndex(all: readonly Named[], model: Model): EmittedFile {
  const entries = all.map(({ key, resource }) => property(key, literal(requestNames(resource))));
  const table = ["const resources: Record<keyof Resources, ResourceNames> = ", tallObject(entries)];
  const members = membersOf(all).map((text) => `  ${text}`);
  return {
    path: "generated/client/index.ts",
    text: render("generated/client/index.ts", {
      header,
      imports: importLines([...typeImports(all, "./"), { from: "./runtime.js", names: ofRuntime }]),
      exports: exportLines([
        ...all.map(({ file }) => ({ from: `./${file}.js`, typeOnly: true })),
        { from: "./runtime.js" },
        ...(usesJson(model) ? [{ from: "./json.js", typeOnly: true }] : []),
      ]),
      types:
        all.length === 0
          ? ["type Resources = Record<never, never>;"]
          : ["interface Resources {", ...members, "}"],
      table: print([...table, ";"], { indent: 0 }),
    }),
  };
}

const ofRuntime = [
  "type BatchApiOf",
  "type BatchBuilderOf",
  "type ClientOf",
  "type ClientOptions",
  "clientOf",
  "type ResourceNames",
  "type Tagged",
];

export function typeImports(all: readonly Named[], folder: string) {
  return all.map(({ names, file }) => ({
    from: `${folder}${file}.js`,
    names: [names.Types],
    typeOnly: true,
  }));
}

/** Returns a member for each resource, by its name in the client, such as `orderItems: OrderItemTypes;`. */
export function membersOf(all: readonly Named[]): readonly string[] {
  return all.map(({ key, names }) => `${propertyKey(key)}: ${names.Types};`);
}

/** The names that requests need: `{ name: "order-items", links: ["order"] }`. */
function requestNames(resource: Resource) {
  const files = resource.fields.filter(isFile).map(({ name }) => name);
  const galleries = resource.fields
    .filter((field) => isFile(field) && field.list !== null)
    .map(({ name }) => name);
  const links = [...resource.links, ...severalOf(resource)].map(({ name }) => name);
  return {
    name: resource.name,
    ...(files.length > 0 && { files }),
    ...(galleries.length > 0 && { galleries }),
    ...(links.length > 0 && { links }),
  };
}
