import { describedNames } from "../describe/names.js";
import type { EmittedFile } from "../emit/file.js";
import { isFile } from "../kind/kinds.js";
import type { Model, Resource } from "../model/model.js";
import { authMethods, serviceMethods } from "../model/operations.js";
import { render } from "../text/templates.js";
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
        ({ resource, names: own }) => `readonly ${clientKey(resource)}: ${own.Api};`,
      ),
      builders: all.map(
        ({ resource, names: own }) => `readonly ${clientKey(resource)}: ${own.Batch};`,
      ),
      types: all.flatMap((each) => resourceTypes(each, (name) => people.get(name) ?? null)),
      table: all.map(({ resource }) => {
        const files = resource.fields.filter(isFile).map(({ name }) => name);
        return [clientKey(resource), resource.name, ...files].join(" ");
      }),
      auth: Object.entries(authMethods).map(([name, request]) => methodLine(name, request)),
      service: Object.entries(serviceMethods).map(([name, request]) => methodLine(name, request)),
    }),
  };
}

/** `order-items` → `orderItems`; what every client has itself gets `_` behind it. */
function clientKey({ name }: Resource): string {
  const key = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return key === "service" || key === "batch" ? `${key}_` : key;
}

/**
 * The request of a method below its group's path: the verb unless it is POST, and what it takes where the verb
 * does not say; see the template.
 */
function methodLine(name: string, request: string): string {
  const [verb, path = ""] = request.split(" ");
  const below = path.replace(/^\/[^/]+\//, "").replace("{id}", "*");
  const words = [verb === "POST" ? "" : verb, below, taken[name] ?? ""];
  return [name, ...words.filter((word) => word !== "")].join(" ");
}

/** Where the verb does not tell. */
const taken: Readonly<Record<string, string>> = {
  passkeyOptions: "e",
  addPasskeyOptions: "e",
  uploadAvatar: "u",
  ping: "r",
  resources: "r",
  profiles: "r",
  accounts: "q",
  accountEvents: "q",
  resetAccountPassword: "-",
};
