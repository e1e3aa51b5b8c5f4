import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

/**
 * Replaces the compiler's message for each import of a missing package with a plain sentence and the command that
 * installs the package.
 */
export function explainMissingPackages(root: string, output: string): string {
  return output.replace(unresolved, (line: string, place: string, specifier: string) => {
    const [scope = "", name] = specifier.split("/");
    const wanted = scope.startsWith("@") && name !== undefined ? `${scope}/${name}` : scope;
    if (isInstalled(root, wanted)) return line;
    const command = isListed(root, wanted) ? "npm install" : `npm install ${wanted}`;
    return `${place}the package ${wanted} is not installed\n  hint: ${command}`;
  });
}

/**
 * TypeScript has a separate code (2882) for `import "name"`. The pattern excludes files (`./orders.js`) and aliases
 * (`#orders`).
 */
const unresolved =
  /^(.+: error TS(?:2307|2882): )Cannot find module (?:or type declarations for side-effect import of )?'([^'.#/][^']*)'.*$/gm;

function isInstalled(folder: string, name: string): boolean {
  if (existsSync(join(folder, "node_modules", name))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInstalled(parent, name);
}

const names = z.record(z.string(), z.unknown()).default({});
const manifestShape = z.object({ dependencies: names, devDependencies: names });

function isListed(root: string, name: string): boolean {
  try {
    const text = readFileSync(join(root, "package.json"), "utf8");
    const { dependencies, devDependencies } = manifestShape.parse(JSON.parse(text));
    return Object.hasOwn({ ...dependencies, ...devDependencies }, name);
  } catch {
    return false;
  }
}
