import type { Command } from "commander";
import type { CommandFrame } from "../../../runtime/command/exit.js";
import type { UpgradeOptions } from "./upgrade.js";

export function declareUpgrade(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("upgrade")
    .description("rewrite package.json and imports of an app of 0.5 for this version")
    .option("--dry-run", "name what would change, and write nothing")
    .option("--force", "continue despite uncommitted changes")
    .action(async (options: UpgradeOptions) => {
      const { upgrade } = await import("./upgrade.js");
      finish(await upgrade(root(), options));
    });
}
