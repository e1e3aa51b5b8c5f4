import type { Command } from "commander";
import type { CommandFrame } from "../../../runtime/command/exit.js";
import type { UpgradeOptions } from "./upgrade.js";

export function declareUpgrade(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("upgrade")
    .description("rewrite package.json and imports of a 0.5 app for this version")
    .option("--dry-run", "print what would change; write nothing")
    .option("--force", "continue despite uncommitted changes")
    .action(async (options: UpgradeOptions) => {
      const { upgrade } = await import("./upgrade.js");
      finish(await upgrade(root(), options));
    });
}
