import type { Command } from "commander";
import type { CommandFrame } from "../../../runtime/command/exit.js";
import type { AdoptOptions } from "./adopt.js";

export function declareAdopt(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("adopt")
    .description(
      "write descriptors, and one migration, for tables that already exist in the database",
    )
    .argument("[tables...]", "the tables to adopt, as the database spells them; all by default")
    .option(
      "--schema <schema>",
      "adopt tables of this schema (default: public); may be repeated",
      collect,
    )
    .option("--exclude <table>", "skip this table; may be repeated", collect)
    .option(
      "--key <table>=<column>",
      "the column with the ids of this table or view; may be repeated",
      collect,
    )
    .option("--views", "also adopt views, as read-only resources")
    .option("--no-triggers", "add no triggers to the tables; each request then counts their rows")
    .option("--accounts <table>", "link the rows of this table to accounts, as the resource people")
    .option("--timezone <zone>", "the zone of times that are stored without one")
    .option("--update", "also add fields for columns that were added to adopted tables")
    .option("--dry-run", "write nothing; print what would be written")
    .option("--json", "print the result as JSON")
    .action(async (tables: readonly string[], options: AdoptOptions) => {
      const { adoptCommand } = await import("./adopt.js");
      finish(await adoptCommand(root(), tables, options));
    });
}

function collect(name: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, name];
}
