import { clientName } from "../../runtime/values/api/client-name.js";
import { transports } from "../../runtime/values/api/passkeys.js";
import { describedNames } from "../describe/resource/names.js";
import type { EmittedFile } from "../emit/file.js";
import { isFile } from "../kind/kinds.js";
import type { Model, Resource } from "../model/model.js";
import { authMethods, serviceMethods } from "../model/operations.js";
import { type Layout, print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { call, type Literal, literal, property, stringLiteral } from "../text/typescript.js";
import type { Named } from "./named.js";
import { fixedTypes, resourceTypes } from "./types.js";

/** The first line of every client: a file without it is not the tool's. */
export const clientHeader =
  "// Generated from resources/ by `service generate`: a client for browsers and Node. Edit the descriptors, not this file.";

/** `client.ts`: one file that needs no other. */
export function emitClient(model: Model): EmittedFile {
  const names = describedNames(model, fixedTypes);
  const all: readonly Named[] = [...names].map(([resource, own]) => ({ resource, names: own }));
  const people = new Map(all.map((each) => [each.resource.name, each]));
  return {
    path: "generated/client.ts",
    text: render("generated/client.ts", {
      header: clientHeader,
      members: all.map(
        ({ resource, names: own }) => `readonly ${clientKey(resource)}: ${own.Api}<Mark>;`,
      ),
      builders: all.map(
        ({ resource, names: own }) => `readonly ${clientKey(resource)}: ${own.Batch};`,
      ),
      types: all.flatMap((each) => resourceTypes(each, (name) => people.get(name) ?? null)),
      table: all.map(({ resource }) => resourceLine(resource)),
      auth: methodLines(authMethods, "/auth"),
      service: methodLines(serviceMethods, "/_service"),
      transports: transports.map(stringLiteral).join(" | "),
    }),
  };
}

/** What a client has beside its resources. */
const ownKeys: readonly string[] = ["service", "batch", "request"];

/** `order-items` → `orderItems`; what every client has itself gets `_` behind it. */
export function clientKey({ name }: Resource): string {
  const key = clientName(name);
  return ownKeys.includes(key) ? `${key}_` : key;
}

/** `orderItems: routesOf({ name: "order-items" }),` */
function resourceLine(resource: Resource): string {
  const files = resource.fields.filter(isFile).map(({ name }) => name);
  const links = [...resource.links, ...resource.inverses].map(({ name }) => name);
  const names = literal({
    name: resource.name,
    ...(files.length > 0 && { files }),
    ...(links.length > 0 && { links }),
  });
  return entry(clientKey(resource), call("routesOf", [names]));
}

/** `endSession: { request: "DELETE /sessions/{id}" },`: all requests of a group begin with the same path. */
function methodLines(methods: Readonly<Record<string, string>>, path: string): readonly string[] {
  return Object.entries(methods).map(([name, request]) =>
    entry(name, literal({ request: request.replace(` ${path}`, " "), ...special[name] })),
  );
}

function entry(key: string, value: Layout): string {
  return `${print(property(key, value), { indent: 2, reserved: 1 })},`;
}

/** The methods whose requests do not tell what they take, or that may be sent again. */
const special: Readonly<Record<string, { readonly [key: string]: Literal }>> = {
  passkeyOptions: { body: {} },
  addPasskeyOptions: { body: {} },
  uploadAvatar: { takes: "file" },
  ping: { repeats: 2 },
  resources: { repeats: 2 },
  profiles: { repeats: 2 },
  accounts: { takes: "query" },
  accountEvents: { takes: "query" },
  views: { takes: "query" },
  resetAccountPassword: { takes: "nothing" },
};
