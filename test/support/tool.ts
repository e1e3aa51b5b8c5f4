import { join, resolve } from "node:path";
import { execa, type Options } from "execa";

const programs = resolve(import.meta.dirname, "../../node_modules/.bin");

/**
 * Runs a development tool of the checkout by itself: through `npx`, npm would add its own words to what
 * the tool prints, about the settings of whoever runs the tests. Fails as `execa` does.
 */
export function runTool<const Given extends Options>(
  name: "biome" | "tsc",
  args: readonly string[],
  options: Given,
) {
  return execa(join(programs, name), args, options);
}
