import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compile } from "./compile.js";

/** The input of a template: strings, and lists of strings or views. Templates insert values and compute nothing. */
export interface View {
  readonly [name: string]: string | boolean | readonly (string | View)[];
}

const folder = join(
  dirname(createRequire(import.meta.url).resolve("service-cli/package.json")),
  "templates",
);
const compiled = new Map<string, ReturnType<typeof compile>>();
const plain = new Map<string, string>();

/**
 * Renders `templates/<name>.hbs`; throws an error for a name that is missing from the view, even in `#each` and `#if`.
 */
export function render(name: string, view: View): string {
  let template = compiled.get(name);
  if (template === undefined) {
    template = compile(name, folder);
    compiled.set(name, template);
  }
  return template(strictView(view, name));
}

/** A file of `templates/` that is emitted unchanged. */
export function plainFile(name: string): string {
  let text = plain.get(name);
  if (text === undefined) {
    text = readFileSync(join(folder, name), "utf8");
    plain.set(name, text);
  }
  return text;
}

/** A view that throws on a missing name even in block helpers, where Handlebars' strict mode does not. */
function strictView(view: View, template: string): View {
  return new Proxy(view, {
    get(target, name) {
      if (typeof name === "symbol") return undefined;
      if (!Object.hasOwn(target, name)) {
        if (name === "toHTML" || name === "then") return undefined;
        throw new Error(`templates/${template}.hbs places "${name}", which its view lacks`);
      }
      const value = target[name];
      if (!Array.isArray(value)) return value;
      return value.map((item: string | View) =>
        typeof item === "string" ? item : strictView(item, template),
      );
    },
  });
}
