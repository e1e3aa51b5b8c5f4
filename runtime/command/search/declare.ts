import type { Command } from "commander";
import type { CommandFrame } from "../exit.js";
import type { SearchRebuildOptions } from "./rebuild.js";

export function declareSearch(program: Command, { root, finish }: CommandFrame): void {
  const search = program.command("search").description("manage full-text search");

  search
    .command("rebuild")
    .description("rebuild the search index of all records, while servers run")
    .argument("[resource]", "only for this resource")
    .option("--json", "print the number of records as JSON")
    .action(async (resource: string | undefined, options: SearchRebuildOptions) => {
      const { rebuildSearch } = await import("./rebuild.js");
      finish(await rebuildSearch(root(), resource ?? null, options));
    });
}
