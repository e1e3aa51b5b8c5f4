import { readFileSync } from "node:fs";
import { join } from "node:path";
import Handlebars from "handlebars";

export const templateOptions = {
  // All values are already escaped for their context; HTML escapes would break code.
  noEscape: true,
  strict: true,
  knownHelpersOnly: true,
} as const;

/**
 * Compiles `<name>.hbs` in the folder `templates`. In the package, `vite.package.config.ts` replaces this module with
 * one that contains all compiled templates: loading the compiler takes longer than all rendering.
 */
export function compile(name: string, folder: string): Handlebars.TemplateDelegate {
  return Handlebars.compile(readFileSync(join(folder, `${name}.hbs`), "utf8"), templateOptions);
}
