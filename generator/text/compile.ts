import { readFileSync } from "node:fs";
import { join } from "node:path";
import Handlebars from "handlebars";

export const templateOptions = {
  // Every value is already escaped for its place; HTML escapes would break code.
  noEscape: true,
  strict: true,
  knownHelpersOnly: true,
} as const;

/**
 * Compiles `<name>.hbs` of the folder `templates`. In the package, `vite.package.config.ts` replaces this module by one
 * that has every template compiled: loading the compiler takes longer than all rendering.
 */
export function compile(name: string, folder: string): Handlebars.TemplateDelegate {
  return Handlebars.compile(readFileSync(join(folder, `${name}.hbs`), "utf8"), templateOptions);
}
