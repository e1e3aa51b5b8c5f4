import type { Command } from "commander";
import type { CommandFrame } from "../exit.js";
import type { SeedOptions } from "./seed.js";

export function declareSeed(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("seed")
    .description("store the new and changed records of seed/ with the built app")
    .argument("[resource...]", "only these resources (default: every file of seed/)")
    .option("--json", "print the result as JSON")
    .action(async (resources: readonly string[], options: SeedOptions) => {
      const { seed } = await import("./seed.js");
      finish(await seed(root(), resources, options));
    });
}
